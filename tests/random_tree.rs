//! Tests of random_tree.
