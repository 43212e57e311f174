//! Markdown as a part of a page.

use std::path::Path;

use pulldown_cmark::{Alignment, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::{file_name, shown};

/// The text as HTML, its headings one level lower. Markup in it is text. Links lead to the pages of these folders, to a place in
/// the text, or to a site; of others, and of pictures, the words stay.
pub(super) fn to_html(markdown: &str, folders: &[(&str, &str)]) -> String {
    let parser = Parser::new_ext(markdown, Options::ENABLE_TABLES);
    let mut events: Vec<Event<'_>> = parser.collect();
    let ids = ids(&events);
    let (mut headings, mut open, mut is_head) = (0, Vec::new(), false);
    let mut kept: Vec<Event<'_>> = Vec::with_capacity(events.len());
    for event in events.drain(..) {
        is_head = match event {
            Event::Start(Tag::TableHead) => true,
            Event::End(TagEnd::TableHead) => false,
            _ => is_head,
        };
        match event {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let id = ids.get(headings).map(|id| CowStr::from(id.clone()));
                headings += 1;
                kept.push(Event::Start(Tag::Heading { level: lower(level), id, classes, attrs }));
            }
            Event::End(TagEnd::Heading(level)) => kept.push(Event::End(TagEnd::Heading(lower(level)))),
            Event::Start(Tag::Link { link_type, dest_url, id, .. }) => {
                let target = target(&dest_url, folders, &ids);
                open.push(target.is_some());
                if let Some(target) = target {
                    let dest_url = target.into();
                    kept.push(Event::Start(Tag::Link { link_type, dest_url, title: CowStr::from(""), id }));
                }
            }
            Event::End(TagEnd::Link) => {
                if open.pop() == Some(true) {
                    kept.push(Event::End(TagEnd::Link));
                }
            }
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            Event::Start(Tag::HtmlBlock) => kept.push(Event::Start(Tag::Paragraph)),
            Event::End(TagEnd::HtmlBlock) => kept.push(Event::End(TagEnd::Paragraph)),
            // A column without a name numbers the rows, or names them.
            Event::End(TagEnd::TableCell) => {
                if is_head && matches!(kept.last(), Some(Event::Start(Tag::TableCell))) {
                    kept.push(Event::Text("#".into()));
                }
                kept.push(Event::End(TagEnd::TableCell));
            }
            // Wide parts scroll sideways, and can be reached with the keyboard.
            Event::Start(tag @ (Tag::Table(_) | Tag::CodeBlock(_))) => {
                let what = if matches!(tag, Tag::Table(_)) { "table" } else { "listing" };
                let begin =
                    format!("<div class=\"scroll\" role=\"group\" aria-label=\"{what}\" tabindex=\"0\">\n");
                // The alignment of columns would be an attribute that the page's policy forbids.
                let tag = match tag {
                    Tag::Table(columns) => Tag::Table(vec![Alignment::None; columns.len()]),
                    other => other,
                };
                kept.extend([Event::Html(begin.into()), Event::Start(tag)]);
            }
            Event::End(tag @ (TagEnd::Table | TagEnd::CodeBlock)) => {
                kept.extend([Event::End(tag), Event::Html("</div>\n".into())]);
            }
            Event::Html(text) | Event::InlineHtml(text) | Event::Text(text) => {
                kept.push(Event::Text(shown(&text).into()));
            }
            Event::Code(text) => kept.push(Event::Code(shown(&text).into())),
            other => kept.push(other),
        }
    }
    let mut page = String::new();
    html::push_html(&mut page, kept.into_iter());
    page
}

/// A name for each heading that links can lead to: its words with dashes.
fn ids(events: &[Event<'_>]) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    let mut words: Option<String> = None;
    for event in events {
        match event {
            Event::Start(Tag::Heading { .. }) => words = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(words) = &mut words {
                    words.push_str(text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let name = anchor(&words.take().unwrap_or_default());
                let numbered = (1..).map(|number| format!("{name}-{number}"));
                let mut names = [name.clone()].into_iter().chain(numbered);
                ids.extend(names.find(|name| !ids.contains(name)));
            }
            _ => {}
        }
    }
    ids
}

/// Small letters and digits, with a dash for each space.
fn anchor(words: &str) -> String {
    let kept = words.chars().filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn lower(level: HeadingLevel) -> HeadingLevel {
    HeadingLevel::try_from(level as usize + 1).unwrap_or(HeadingLevel::H6)
}

/// The target of a link of the notebook, seen from the index of the site.
fn target(link: &str, folders: &[(&str, &str)], ids: &[String]) -> Option<String> {
    if link.starts_with("https://") || link.starts_with("http://") {
        return Some(link.to_owned());
    }
    // The pages of a notebook are one text here.
    if let Some((page, id)) = link.split_once('#')
        && (page.is_empty() || Path::new(page).extension() == Some("md".as_ref()))
    {
        return ids.iter().any(|known| known == id).then(|| format!("#{id}"));
    }
    let mut parts = link.trim_start_matches("../").trim_start_matches("./").trim_end_matches('/').split('/');
    let (Some("reference"), Some(folder)) = (parts.next(), parts.next()) else { return None };
    let page = folders.iter().find(|(known, _)| *known == folder || file_name(known) == folder);
    page.map(|(_, file)| (*file).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_other_schemes_are_text() {
        let html = |text: &str| to_html(text, &[("tour", "tour.html")]);
        assert_eq!(
            html("# A `b`\n\n[x](#a-b) [y](#c)"),
            "<h2 id=\"a-b\">A <code>b</code></h2>\n<p><a href=\"#a-b\">x</a> y</p>\n"
        );
        assert!(
            html("# A\n\n[x](notebook/page.md#a) [y](page.md#b)")
                .ends_with("<p><a href=\"#a\">x</a> y</p>\n")
        );
        assert_eq!(html("<script>alert(1)</script>"), "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n");
        assert_eq!(html("a <b onclick=x>c</b>"), "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n");
        assert_eq!(html("[a](javascript:x) [b](file:///etc) [c](../m.md)"), "<p>a b c</p>\n");
        assert_eq!(html("![p](https://x.org/p.png)"), "<p>p</p>\n");
        assert_eq!(
            html("[t](reference/tour/report.txt) <https://x.org>"),
            "<p><a href=\"tour.html\">t</a> <a href=\"https://x.org\">https://x.org</a></p>\n"
        );
        assert!(html("a\u{202e}b `\u{1b}[2J`").contains("a\\u{202e}b <code>\\u{1b}[2J</code>"));
        let table = html("|  | a |\n|--|--:|\n| 1 |  |");
        assert!(table.contains("<th>#</th><th>a</th>") && table.contains("<td>1</td><td></td>"), "{table}");
        assert!(table.starts_with("<div class=\"scroll\"") && !table.contains("style="), "{table}");
    }
}
