// What only a browser can tell of a page. `run` starts it with shikou, the browser, the folder of the pages, one for pictures, and names.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { explores, steps } from './games.mjs';

const [shikou, executablePath, folder, pictures, ...names] = process.argv.slice(2);
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

// A new browser with an empty profile of its own, and all that it says and asks for.
const open = async (name, options) => {
  const context = await chromium.launchPersistentContext('', { executablePath, headless: true, args, ...options });
  const [said, asked] = [[], []];
  const page = await context.newPage();
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('request', (request) => asked.push(request.url()));
  const file = `file://${path.join(folder, `${name}.html`)}`;
  const begin = performance.now();
  await page.goto(file, { waitUntil: 'load' });
  return { context, page, said, asked, file, took: performance.now() - begin };
};

const cells = (page, selector) => page.$$eval(`${selector} tbody tr`, (rows) =>
  rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
const isIn = (numbers, wanted) => numbers.every((number, index) => wanted[index] === null
  ? number === '–' : Math.abs(Number(number) - wanted[index]) < 0.00005001);

// Every player has its value and interval in the numbers of the figure of the players of its experiment.
const hasTheNumbers = async (page, name) => {
  const summary = JSON.parse(await readFile(`../../results/reference/${name}/summary.json`, 'utf8'));
  assert.deepEqual(JSON.parse(await page.textContent('#summary')), summary);
  for (const [index, experiment] of summary.experiments.entries()) {
    const id = await page.$$eval(`figure[id^="part${index + 1}-"]`, (figures) =>
      figures.find((figure) => figure.querySelector('h3').textContent.endsWith(': the players')).id);
    const rows = await cells(page, `#${id}`);
    assert.equal(rows.length, experiment.players.filter((player) => player.trials > 0).length);
    for (const player of experiment.players) {
      const { value, low, high } = player.success ?? player.points ?? player.score;
      const row = rows.find(([first]) => first === player.name);
      assert.ok(row && isIn(row.slice(1, 4), [value, low, high]), `${player.name}: ${row}`);
      assert.equal(row[4], String(player.trials));
    }
  }
};

// The heading of the results is reached with the tabulator and sorts with the enter key: down, up, and as it was.
const sortsWithTheKeyboard = async (page) => {
  const isThere = () => page.evaluate(() => ['points', 'success'].includes(document.activeElement.textContent.trim())
    && document.activeElement.closest('th') !== null);
  for (let presses = 0; !await isThere(); presses += 1) {
    assert.ok(presses < 60, 'the heading is not reached');
    await page.keyboard.press('Tab');
  }
  const column = await page.evaluate(() => document.activeElement.closest('th').cellIndex);
  const values = async () => (await cells(page, '#part1 > .scroll')).map((row) => Number(row[column]));
  const first = await values();
  for (const [sort, expected] of [['descending', [...first].sort((a, b) => b - a)],
    ['ascending', [...first].sort((a, b) => a - b)], [null, first]]) {
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.closest('th').getAttribute('aria-sort')), sort);
    assert.deepEqual(await values(), expected);
    assert.match(await page.textContent('#said'), sort ? new RegExp(`${sort}\\.$`) : /first order/);
  }
};

// The index of a site: the same checks but for what only a report has, and every page is reached.
const isAnIndex = async (colorScheme, width) => {
  const where = `index, ${colorScheme}, ${width} pixels`;
  const { context, page, said, asked, file, took } = await open('site/index', { colorScheme, viewport: { width, height: 900 } });
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
    colorScheme === 'dark' ? 'rgb(13, 17, 23)' : 'rgb(255, 255, 255)', where);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where}: too wide`);
  if (pictures !== '/dev/null') {
    await page.screenshot({ path: path.join(pictures, `index-${colorScheme}-${width}.png`), clip: { x: 0, y: 0, width, height: 2400 }, fullPage: true });
  }
  assert.deepEqual(asked, [file], where);
  assert.ok(await page.locator('.answer a').count() > 20, where);
  await page.locator('.answer a[href="tour.html"]').click();
  await page.locator('a[href="index.html"]').click();
  assert.ok(await page.locator('h1').textContent() === 'Results', where);
  assert.deepEqual(said, [], where);
  await hasNoViolation(page, where);
  await context.close();
  console.log(`${where}: loaded in ${took.toFixed(0)} ms`);
};

// The table is copied, or selected where the clipboard is closed.
const copies = async (page) => {
  const button = page.locator('#part1 .tools button').first();
  await button.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /^(Copied|Selected)/.test(document.getElementById('said').textContent));
};

const hasNoViolation = async (page, where) => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html).join(' ')}`);
  assert.deepEqual(found, [], where);
};

for (const colorScheme of ['light', 'dark']) {
  for (const width of [1280, 390]) await isAnIndex(colorScheme, width);
}

for (const name of names) {
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 390]) {
      const where = `${name}, ${colorScheme}, ${width} pixels`;
      const viewport = { width, height: 900 };
      const { context, page, said, asked, file, took } = await open(name, { colorScheme, viewport, reducedMotion: 'reduce' });
      const colours = () => page.evaluate(() => [getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.querySelector('figure .s1')).stroke]);
      const shown = await colours();
      assert.deepEqual(shown, colorScheme === 'dark' ? ['rgb(13, 17, 23)', 'rgb(86, 180, 233)']
        : ['rgb(255, 255, 255)', 'rgb(0, 114, 178)'], where);
      await page.emulateMedia({ media: 'print' });
      assert.equal((await colours())[0], 'rgb(255, 255, 255)', where);
      await page.emulateMedia({ media: 'screen' });
      assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), 'auto');
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where}: too wide`);
      if (pictures !== '/dev/null') {
        await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}-${width}.png`), fullPage: true });
      }
      await hasTheNumbers(page, name);
      await sortsWithTheKeyboard(page);
      await copies(page);
      await steps(page);
      if (colorScheme === 'light') await explores(page, shikou, `../../results/reference/${name}`);
      await page.evaluate(() => document.querySelectorAll('details').forEach((box) => { box.open = true; }));
      assert.deepEqual(asked, [file], where);
      assert.deepEqual(said, [], where);
      await hasNoViolation(page, where);
      await context.close();
      console.log(`${where}: loaded in ${took.toFixed(0)} ms`);
    }
  }
  // Without the script everything is there but sorting, copying and the games.
  const { context, page, said } = await open(name, { javaScriptEnabled: false });
  assert.ok(await page.locator('table').count() > 3 && await page.locator('button').count() === 0);
  assert.deepEqual(said, []);
  await context.close();
}
