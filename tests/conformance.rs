//! Tests of conformance.
