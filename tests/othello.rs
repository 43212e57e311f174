//! Tests of othello.
