//! Optimisation: the laws of the operators, the methods on test functions, and what they ask for.

mod crossover;
mod knockout;
mod mutation;
mod reproducible;
mod selection;
mod support;
