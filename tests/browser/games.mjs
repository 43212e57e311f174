// The explorer of games in a browser: every ply of the page is what `shikou trial --json` prints.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

const text = async (page, selector) => (await page.textContent(selector)).trim();
const places = (value) => {
  const size = Math.abs(value);
  return (size >= 1e6 ? value.toPrecision(4) : value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : 3)).replace('-', '−');
};

// What the page shows of a ply.
const shown = async (page) => page.evaluate(() => ({
  turn: document.getElementById('turn').textContent,
  drawing: document.getElementById('position-text').textContent,
  rows: [...document.querySelectorAll('#estimates tbody tr')].map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent)),
  played: document.querySelectorAll('#estimates tr.played').length,
  line: document.getElementById('line').textContent,
  picture: document.querySelectorAll('#position svg.picture *').length,
}));

const isThePly = async (page, ply) => {
  const found = await shown(page);
  assert.ok(found.turn.startsWith(`Ply ${ply.ply}: `) && found.turn.endsWith(` ${ply.mv}`), `${found.turn}, ${ply.mv}`);
  assert.ok(found.drawing.startsWith(ply.position.drawing), found.drawing);
  assert.ok(found.picture > 0);
  const moves = ply.decision?.moves ?? [];
  assert.equal(found.rows.length, moves.length);
  assert.equal(found.played, moves.length ? 1 : 0);
  for (const { mv, visits, value, standard_error: error } of moves) {
    const name = mv === ply.mv ? `${mv} (played)` : mv;
    const row = found.rows.find(([first]) => first === name);
    const expected = error > 0 ? `${places(value)} ± ${places(error)}` : places(value);
    assert.deepEqual(row?.slice(1), [expected, visits.toLocaleString('en').replaceAll(',', '\u202f')], name);
  }
  assert.equal(found.line, ply.line.length > 1 ? `Expected line: ${ply.line.join(' ')}` : '');
};

// Trials that were played again.
const known = {};

// Every game of the page, ply by ply, with the keyboard alone.
export const explores = async (page, shikou, results) => {
  const { games } = JSON.parse(await page.textContent('#games-data'));
  assert.ok(games.length > 2);
  for (const [index, { trial, number }] of games.entries()) {
    known[trial] ??= JSON.parse(execFileSync(shikou, ['trial', results, trial, '--json'], { maxBuffer: 1 << 28 }));
    const { plies } = known[trial].games[number - 1];
    await page.selectOption('#game-choice', String(index));
    await page.focus('[data-step=forward]');
    await page.keyboard.press('Home');
    for (const ply of plies) {
      await isThePly(page, ply);
      await page.keyboard.press('ArrowRight');
    }
    assert.equal(await text(page, '#turn'), 'The end');
    assert.match(await text(page, '#said'), /^The end\./);
    await page.keyboard.press('ArrowLeft');
    await isThePly(page, plies[plies.length - 1]);
  }
};

// Buttons, the slider, a click on the line of values, and reasons that name a ply.
export const steps = async (page) => {
  const { games } = JSON.parse(await page.textContent('#games-data'));
  await page.selectOption('#game-choice', '0');
  const plies = games[0].plies.length;
  const at = async () => Number(await page.inputValue('#ply'));
  await page.click('[data-step=last]');
  assert.equal(await at(), plies);
  assert.equal(await page.getAttribute('[data-step=forward]', 'aria-disabled'), 'true');
  await page.click('[data-step=back]');
  assert.equal(await at(), plies - 1);
  await page.click('[data-step=first]');
  assert.equal(await page.getAttribute('[data-step=back]', 'aria-disabled'), 'true');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await at(), 0);
  await page.focus('#ply');
  await page.keyboard.press('ArrowRight');
  assert.equal(await at(), 1);
  assert.ok((await text(page, '#turn')).startsWith('Ply 2: '));
  const withCourse = games.findIndex(({ plies: of }) => of.filter(({ by, moves }) => by === 'player' && moves.length).length > 4);
  if (withCourse >= 0) {
    await page.selectOption('#game-choice', String(withCourse));
    const line = page.locator('#course svg').first();
    const { width, height } = await line.boundingBox();
    await line.click({ position: { x: width - 9, y: height / 2 } });
    const last = games[withCourse].plies.length;
    assert.ok(await at() >= last - 2, `${await at()} of ${last}`);
    await line.click({ position: { x: 57, y: height / 2 } });
    assert.ok(await at() <= 1, `${await at()}`);
  }
  for (const [index, game] of games.entries()) {
    const why = game.why.find(({ ply }) => ply !== null);
    if (!why) continue;
    await page.selectOption('#game-choice', String(index));
    await page.click('[data-step=first]');
    await page.click('#game-why button');
    assert.equal(await at(), why.ply - 1);
  }
};
