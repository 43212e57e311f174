use std::fmt;

use super::{OptionDecl, OptionValue, Options, Wording};

/// A part as declared.
#[derive(Clone, Debug, PartialEq)]
pub struct PartDecl {
    /// The name, in kebab case.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The options that it takes.
    pub options: Vec<OptionDecl>,
}

impl PartDecl {
    /// A part with options.
    pub fn new(name: &'static str, about: &'static str, options: Vec<OptionDecl>) -> Self {
        Self { name, about, options }
    }

    /// The part with the defaults of its options.
    pub fn with_defaults(&self) -> Part {
        let options = Options::new(&self.options, []).expect("defaults alone are in range");
        Part { name: self.name.into(), options }
    }

    /// The options that must be given, as an example.
    pub(super) fn example(&self) -> String {
        let needed = self.options.iter().filter_map(|decl| match &decl.default {
            OptionValue::Needed(example) => Some(format!("{} = {example}", decl.name)),
            _ => None,
        });
        let needed: Vec<String> = needed.collect();
        if needed.is_empty() { "{}".into() } else { format!("{{ {} }}", needed.join(", ")) }
    }

    pub(super) fn declares(&self, part: &Part) -> bool {
        self.name == part.name && self.options.iter().eq(part.options.iter().map(|(decl, _)| decl))
    }
}

/// A part with the values of its options.
///
/// # Example
/// ```
/// use shikou::game::options::{Options, part, parts, real};
/// parts! {
///     enum Selection {
///         /// upper confidence bounds
///         Ucb1 {},
///         /// with prior probabilities
///         Puct {
///             /// factor
///             exploration: f64 = real(0.0..=10.0, 1.0),
///         },
///     }
/// }
/// let declared = [part::<Selection>().decl("selection", "what is visited next")];
/// let options = Options::parse(&declared, "selection=puct(exploration=2)").unwrap();
/// assert_eq!(options.part("selection").name, "puct");
/// assert_eq!(options.part("selection").options.real("exploration"), 2.0);
/// assert_eq!(options.changed(), "selection=puct(exploration=2.0)");
/// assert_eq!(Options::parse(&declared, "selection=puct").unwrap().changed(), "selection=\"puct\"");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The name of the part.
    pub name: String,
    /// The options, defaults filled in.
    pub options: Options,
}

impl Part {
    pub(super) fn named(name: &str) -> Self {
        Self { name: name.into(), options: Options::default() }
    }

    /// The part as text: a quoted word if no option differs from its default, else `name(option=value,…)`.
    pub fn text(&self, wording: Wording) -> String {
        let changed = self.options.changed_as(wording);
        if changed.is_empty() { format!("{:?}", self.name) } else { format!("{}({changed})", self.name) }
    }
}

impl fmt::Display for Part {
    /// Writes a quoted word if no option differs from its default, else `name(option=value,…)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Wording::Notation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::options::{Parts as _, integer, name_or_part, part, parts, real};

    parts! {
        enum Kind {
            /// nothing
            Plain {},
            /// both
            Mixed {
                /// a share
                share: f64 = real(0.0..=1.0, 0.5),
                /// a width
                width: u32 = integer(1..=9, 3),
            },
        }
    }

    fn declared() -> [OptionDecl; 2] {
        [
            part::<Kind>().decl("backup", "what goes up"),
            name_or_part::<Kind>("policies", "uniform").decl("policy", "who plays"),
        ]
    }

    fn changed(text: &str) -> String {
        Options::parse(&declared(), text).unwrap().changed()
    }

    fn message(text: &str) -> String {
        Options::parse(&declared(), text).unwrap_err().to_string()
    }

    #[test]
    fn what_equals_the_default_is_the_default() {
        for text in ["", "backup=plain", "backup=\"plain\"", "backup=plain()", "policy=uniform"] {
            assert_eq!(changed(text), "", "{text}");
        }
        assert_eq!(changed("backup=mixed(share=0.5)"), changed("backup=mixed"));
        assert_eq!(changed("backup=mixed(width=2, share=0)"), "backup=mixed(share=0.0,width=2)");
        assert_eq!(changed("policy=foundation-first"), "policy=\"foundation-first\"");
        let options = Options::parse(&declared(), "backup=mixed(width=2)").unwrap();
        let Some(Kind::Mixed { share, width }) = Kind::read(options.part("backup")) else {
            panic!("{options:?}")
        };
        assert_eq!((share, width), (0.5, 2));
    }

    #[test]
    fn every_text_form_comes_back() {
        for text in ["backup=mixed(share=0.25,width=2)", "backup=\"mixed\",policy=mixed(width=1)"] {
            assert_eq!(changed(text), text);
        }
    }

    #[test]
    fn messages_say_what_is_wrong_and_what_to_do() {
        assert_eq!(
            message("backup=mixt"),
            r#"`backup` is "mixt", but takes "plain" or "mixed" with options; did you mean "mixed"?"#
        );
        assert_eq!(
            message("backup=mixt(share=1)"),
            r#"`backup` is "mixt" with options, but takes "plain" or "mixed" with options; did you mean "mixed"?"#
        );
        assert_eq!(message("backup=plain(share=1)"), "`plain` has no option `share`; `mixed` has it");
        assert_eq!(message("backup=plain(depth=1)"), "unknown option `depth`; there are none");
        assert_eq!(message("backup=mixed(share=2)"), "`share` is 2.0, but takes a number from 0 to 1");
        assert_eq!(message("backup=mixed(share=1"), "`mixed(share=1` has no closing bracket");
        assert_eq!(message("backup=1"), r#"`backup` is "1", but takes "plain" or "mixed" with options"#);
    }
}
