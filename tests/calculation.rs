//! Tests of calculation.
