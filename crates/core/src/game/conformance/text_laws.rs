//! Laws of texts: notation, transcripts, drawings and pictures.

use std::collections::BTreeSet;

use super::laws;
use super::subject::{Case, End, Line, Subject, Verdict, examine, require};

laws! {
    LAWS;
    /// no two moves of a position have the same notation, and none has an empty one
    "notation", notation, unfinished;
    /// `parse_move` reads what `notation` writes, also in upper case
    "parse-move", parse, unfinished;
    /// the transcript of a game is one line, and following it makes the same moves
    "transcript", transcripts;
    /// `parse_position` reads what `position_text` writes, one line
    "position-text", position_text, all;
    /// every position has a drawing, always the same
    "drawing", drawing, all;
    /// every position has a picture or none has; nothing is outside its field, and it is always the same
    "picture", picture, all;
}

fn notation(subject: &Subject<'_>, case: &Case) -> Verdict {
    let mut seen = BTreeSet::new();
    for mv in subject.legal(&case.position) {
        let text = subject.game.notation(&case.position, &mv);
        require!(!text.trim().is_empty(), "{mv:?} is written {text:?}")?;
        if seen.contains(&text) {
            return Err(format!("{mv:?} and another move are both written {text:?}"));
        }
        seen.insert(text);
    }
    Ok(())
}

fn parse(subject: &Subject<'_>, case: &Case) -> Verdict {
    for mv in subject.legal(&case.position) {
        let text = subject.game.notation(&case.position, &mv);
        for text in [text.to_uppercase(), text] {
            let read = subject.game.parse_move(&case.position, &text);
            require!(read.as_ref() == Some(&mv), "{mv:?} is written {text:?}, which is read as {read:?}")?;
        }
    }
    Ok(())
}

fn transcripts(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    for line in subject.lines.iter().filter(|line| matches!(line.end, End::Over)) {
        *count += 1;
        examine(|| transcript(subject, line))
            .map_err(|what| format!("{what}\n{}", subject.place_of(&line.moves, line.last.as_ref())))?;
    }
    Ok(())
}

fn transcript(subject: &Subject<'_>, line: &Line) -> Verdict {
    let game = subject.game;
    let text = game.transcript(&line.moves);
    require!(text.lines().count() <= 1, "the transcript is more than one line")?;
    let followed = game.follow(&text);
    let (_, moves, position) =
        followed.map_err(|error| format!("following the transcript {text:?}: {error}"))?;
    require!(moves == line.moves, "following the transcript makes the moves {moves:?}")?;
    require!(Some(position) == line.last, "following the transcript leads to another position")
}

fn position_text(subject: &Subject<'_>, case: &Case) -> Verdict {
    let Some(text) = subject.game.position_text(&case.position) else { return Ok(()) };
    require!(text.lines().count() <= 1, "the text {text:?} is more than one line")?;
    let read = subject.game.parse_position(&text);
    require!(read.as_ref() == Ok(&case.position), "the text {text:?} is read as {read:?}")
}

fn drawing(subject: &Subject<'_>, case: &Case) -> Verdict {
    let drawing = subject.game.drawing(&case.position);
    require!(!drawing.trim().is_empty(), "the drawing is empty")?;
    require!(drawing == subject.game.drawing(&case.position), "a second call gives another drawing")
}

fn picture(subject: &Subject<'_>, case: &Case) -> Verdict {
    let picture = subject.game.picture(&case.position);
    require!(picture == subject.game.picture(&case.position), "a second call gives another picture")?;
    let has_one = subject.game.picture(&subject.game.start()).is_some();
    require!(picture.is_some() == has_one, "some positions have a picture, and others have none")?;
    picture
        .and_then(|picture| picture.flaw())
        .map_or(Ok(()), |flaw| Err(format!("the picture is wrong: {flaw}")))
}
