//! Calculation, a solitaire.
