//! Tests of tic_tac_toe.
