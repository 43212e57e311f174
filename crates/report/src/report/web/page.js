'use strict';
(() => {
  const said = document.getElementById('said');
  const say = (words) => { said.textContent = words; };
  const units = { ns: 1e-9, 'µs': 1e-6, ms: 1e-3, s: 1, k: 1e3, M: 1e6, G: 1e9, '%': 1 };

  // A cell as a number, or null: the first number of an interval, thousands without their spaces, units scaled.
  const number = (text) => {
    const found = /^[[<\s]*([-−+]?\d[\d.]*)\s?(ns|µs|ms|s|k|M|G|%)?(?!\p{L})/u.exec(text.replace(/(\d)[\u202f\u00a0](?=\d)/g, '$1'));
    return found ? Number(found[1].replace('−', '-')) * (units[found[2]] ?? 1) : null;
  };
  const text = (cell) => cell.textContent.trim();

  const sortBy = (table, column, heading) => {
    const body = table.tBodies[0];
    const isNumeric = heading.classList.contains('n') || [...body.rows].some((row) => text(row.cells[column]).startsWith('['));
    const order = { none: isNumeric ? 'descending' : 'ascending', descending: isNumeric ? 'ascending' : 'none', ascending: isNumeric ? 'none' : 'descending' };
    const next = order[heading.getAttribute('aria-sort') ?? 'none'];
    const sign = next === 'descending' ? -1 : 1;
    const compare = (a, b) => {
      if (next === 'none') return a.dataset.place - b.dataset.place;
      const [first, second] = [a, b].map((row) => text(row.cells[column]));
      if (!isNumeric) return sign * first.localeCompare(second, 'en', { numeric: true });
      const [x, y] = [number(first), number(second)];
      // What is no number comes last either way.
      return x === null || y === null ? (x === null) - (y === null) : sign * (x - y);
    };
    const rows = [...body.rows];
    body.append(...rows.sort((a, b) => compare(a, b) || a.dataset.place - b.dataset.place));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    if (next !== 'none') heading.setAttribute('aria-sort', next);
    say(next === 'none' ? 'In the first order.' : `Sorted by ${text(heading)}, ${next}.`);
  };

  const copy = async (words, source) => {
    try {
      await navigator.clipboard.writeText(words);
      say('Copied.');
      return true;
    } catch {
      // The reader can copy what is selected.
      const range = document.createRange();
      range.selectNodeContents(source);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      say('Selected: copy it with the keyboard.');
      return false;
    }
  };

  // A spreadsheet would compute a text that begins like a formula.
  const guarded = (words) => (/^[=+\-@\t]/.test(words) && !/^[-+]?[\d.]+$/.test(words) ? `'${words}` : words);
  const line = (row) => [...row.cells].map((cell) => guarded(text(cell).replace(/\s+/g, ' '))).join('\t');

  const button = (words, act) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = words;
    made.addEventListener('click', () => act(made));
    return made;
  };
  const copies = (words, source, content) => button(words, async (made) => {
    const isDone = await copy(content(), source);
    made.textContent = isDone ? 'Copied' : 'Selected';
    setTimeout(() => { made.textContent = words; }, 1500);
  });

  for (const table of document.querySelectorAll('table')) {
    [...table.tBodies[0].rows].forEach((row, place) => { row.dataset.place = place; });
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const words = text(heading);
      if (!words || table.tBodies[0].rows.length < 2 || table.querySelector(`td:nth-child(${column + 1}) svg`)) return;
      heading.replaceChildren(button(words, () => sortBy(table, column, heading)));
    });
    const tools = document.createElement('div');
    tools.className = 'tools';
    tools.append(copies('Copy the table', table, () => [...table.rows].map(line).join('\n')));
    table.parentElement.after(tools);
  }

  const summary = document.getElementById('summary');
  if (summary) document.querySelector('footer').append(copies('Copy summary.json', summary, () => summary.textContent));

  // What scrolls sideways can be reached with the keyboard.
  const reach = () => {
    for (const box of document.querySelectorAll('.scroll')) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute('tabindex');
    }
  };
  reach();
  addEventListener('resize', reach);
  document.addEventListener('toggle', reach, true);
  addEventListener('beforeprint', () => { for (const box of document.querySelectorAll('details')) box.open = true; });
})();
