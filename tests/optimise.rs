//! Optimisation: the laws of the operators, the methods on test functions, and what they ask for.

mod climb;
mod crossover;
mod knockout;
mod methods;
mod mutation;
mod optimisers;
mod reproducible;
mod selection;
mod support;
