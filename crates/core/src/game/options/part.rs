//! Parts: values of an option that have their own options.

use std::fmt;

use super::{OptionDecl, Options, Wording};

/// A part as declared.
#[derive(Clone, Debug, PartialEq)]
pub struct PartDecl {
    /// The name, in kebab case.
    pub name: &'static str,
    /// What it is, in one line.
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

    /// Whether a part has this name and these options.
    pub(super) fn declares(&self, part: &Part) -> bool {
        self.name == part.name && self.options.iter().eq(part.options.iter().map(|(decl, _)| decl))
    }
}

/// A part with the values of its options.
///
/// # Example
/// ```
/// use shikou::game::options::{OptionDecl, Options, PartDecl};
/// let puct = vec![OptionDecl::real("exploration", 0.0, 10.0, 1.0, "factor")];
/// let parts = vec![PartDecl::new("ucb1", "", vec![]), PartDecl::new("puct", "", puct)];
/// let declared = [OptionDecl::part("selection", parts, "what is visited next")];
/// let options = Options::parse(&declared, "selection=puct(exploration=2)").unwrap();
/// assert_eq!(options.part("selection").name, "puct");
/// assert_eq!(options.part("selection").options.real("exploration"), 2.0);
/// assert_eq!(options.changed(), "selection=puct(exploration=2.0)");
/// assert_eq!(Options::parse(&declared, "selection=puct").unwrap().changed(), "selection=\"puct\"");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Which part.
    pub name: String,
    /// Its options, defaults filled in.
    pub options: Options,
}

impl Part {
    /// A part without options.
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

    fn declared() -> [OptionDecl; 2] {
        let inner = vec![
            OptionDecl::real("share", 0.0, 1.0, 0.5, "a share"),
            OptionDecl::integer("width", 1, 9, 3, "a width"),
        ];
        let parts = vec![PartDecl::new("plain", "nothing", vec![]), PartDecl::new("mixed", "both", inner)];
        [
            OptionDecl::part("backup", parts.clone(), "what goes up"),
            OptionDecl::name_or_part("policy", "policies", parts, "uniform", "who plays"),
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
