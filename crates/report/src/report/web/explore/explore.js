(() => {
  'use strict';
  const root = document.getElementById('explorer');
  if (!root) return;
  const find = (id) => document.getElementById(id);
  const { parts, games } = JSON.parse(find('games-data').textContent);
  const [choice, slider, board, estimates, others, course] =
    ['game-choice', 'ply', 'position', 'estimates', 'others', 'course'].map(find);
  const SVG = 'http://www.w3.org/2000/svg';
  // An evaluation of a game that has not ended is smaller.
  const FAR = 2 ** 20;
  let game = games[0];
  let step = 0;

  const element = (name, words = '', attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = words;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const drawn = (name, attributes, ...inside) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  };
  const places = (value) => {
    const size = Math.abs(value);
    const text = size >= 1e6 ? value.toPrecision(4) : value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : 3);
    return text.replace('-', '−');
  };
  const value = (mean, error) => mean === null ? '–' : error > 0 ? `${places(mean)} ± ${places(error)}` : places(mean);
  const seat = (number) => game.seats[number - 1];
  const named = (number) => {
    const { player, side } = seat(number);
    return side ? `${player} (${side})` : player;
  };

  // The position before a ply, or the last one.
  const showPosition = () => {
    const { text, drawing, picture } = game.positions[step];
    const lines = drawing.map((index) => parts[index]).join('\n');
    if (picture) {
      const [width, height] = picture.size;
      const marks = picture.marks.map((index) => parts[index]).join('');
      const whole = `<svg xmlns="${SVG}" class="picture" viewBox="0 0 ${width} ${height}" role="img">${marks}</svg>`;
      const made = document.importNode(new DOMParser().parseFromString(whole, 'image/svg+xml').documentElement, true);
      made.setAttribute('aria-label', `Position: ${lines.replaceAll('\n', '; ')}`);
      board.replaceChildren(made);
    } else {
      board.replaceChildren(element('pre', lines, { tabindex: 0, role: 'group', 'aria-label': 'Position' }));
    }
    find('position-text').textContent = text ? `${lines}\n\n${text}` : lines;
  };

  const bar = (share) => drawn('svg', { class: 'bar', viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    drawn('rect', { x: 0, y: 0, width: Math.max(0, 100 * share).toFixed(1), height: 8 }));

  const tableOf = ({ mv, moves }) => {
    const total = moves.reduce((sum, [, visits]) => sum + visits, 0);
    const table = element('table');
    const head = table.createTHead().insertRow();
    for (const [words, kind] of [['move', ''], ['value ± std. error', 'n'], ['visits', 'n'], ['share of visits', 'share']]) {
      head.append(element('th', words, { scope: 'col', class: kind }));
    }
    const body = table.createTBody();
    for (const [name, visits, mean, error] of [...moves].sort((a, b) => (b[2] ?? -Infinity) - (a[2] ?? -Infinity))) {
      const row = body.insertRow();
      if (name === mv) row.className = 'played';
      row.append(element('th', name === mv ? `${name} (played)` : name, { scope: 'row' }));
      row.append(element('td', value(mean, error), { class: 'n' }), element('td', visits.toLocaleString('en').replaceAll(',', '\u202f'), { class: 'n' }));
      const share = element('td', '', { class: 'share' });
      const percent = total ? visits / total : 0;
      share.append(element('span', `${(100 * percent).toFixed(0)} %`, { class: 'hidden' }), bar(percent));
      row.append(share);
    }
    return table;
  };

  const othersAt = () => {
    const asked = game.others.filter(({ decisions }) => decisions[step]);
    if (!asked.length) return [];
    const list = element('ul');
    for (const { player, decisions } of asked) {
      const [mv, mean, error, away] = decisions[step];
      const same = mv === game.plies[step].mv;
      const of = mean === null ? '' : `, value ${value(mean, error)}`;
      const regret = !same && away > 0 ? `; by its values ${game.plies[step].mv} gives away ${places(away)}` : '';
      list.append(element('li', `${player} would play ${same ? 'the same' : mv}${of}${regret}.`));
    }
    return [element('h3', 'Other players here'), list];
  };

  const resultWords = () => {
    const { outcome, margin, unit, failure, seats } = game;
    if (failure && outcome === null) return `The game failed: ${failure}.`;
    if (outcome === null) return 'The result is not known.';
    const reached = `${String(margin).replace('-', '−')} ${unit}`;
    if (seats.length === 1) return `${outcome === 'win' ? 'Solved' : outcome === 'draw' ? 'Drawn' : 'Not solved'}, ${reached}.`;
    const verb = { win: 'wins', draw: 'draws', loss: 'loses' }[outcome];
    return `${named(1)} ${verb}, ${failure ? `by ${failure}` : `margin ${reached}`}.`;
  };

  // What is said of a ply.
  const turnWords = () => {
    const ply = game.plies[step];
    if (!ply) return ['The end', resultWords()];
    const heading = `Ply ${step + 1}`;
    if (ply.by === 'chance') return [`${heading}: chance gives ${ply.mv}`, 'A chance turn.'];
    if (ply.by === 'opening') return [`${heading}: ${ply.mv}`, 'A ply of the opening: no player chose it.'];
    const player = named(ply.seat);
    const words = ply.moves.length
      ? `Values are for ${player}, to move: the mean payoff or the evaluation of its own search (${ply.stop}).`
      : `${player} states no values of moves (${ply.stop}).`;
    return [`${heading}: ${player} plays ${ply.mv}`, words];
  };

  const show = (speaks) => {
    const ply = game.plies[step];
    showPosition();
    const [heading, words] = turnWords();
    find('turn').textContent = heading;
    find('turn-words').textContent = words;
    estimates.replaceChildren(...(ply?.moves.length ? [tableOf(ply)] : []));
    find('line').textContent = ply && ply.line.length > 1 ? `Expected line: ${ply.line.join(' ')}` : '';
    others.replaceChildren(...(ply ? othersAt() : []));
    slider.value = String(step);
    const where = ply ? `Before ply ${step + 1} of ${game.plies.length}` : `After ${game.plies.length} plies`;
    find('ply-words').textContent = where;
    slider.setAttribute('aria-valuetext', `${where}. ${heading}.`);
    for (const button of root.querySelectorAll('[data-step]')) {
      const isEnd = ['first', 'back'].includes(button.dataset.step) ? step === 0 : step === game.plies.length;
      button.setAttribute('aria-disabled', String(isEnd));
    }
    for (const now of course.querySelectorAll('.now')) {
      const x = now.ownerSVGElement.place(step + 1);
      now.setAttribute('x1', x);
      now.setAttribute('x2', x);
    }
    if (speaks) find('said').textContent = `${heading}. ${words}`;
  };

  const go = (to, speaks = true) => {
    step = Math.max(0, Math.min(game.plies.length, to));
    show(speaks);
  };

  // The value of the played moves over the game, of one seat.
  const panel = (number) => {
    const points = game.plies.flatMap(({ by, seat: of, mv, moves }, index) => {
      const own = by === 'player' && of === number ? moves.find(([name]) => name === mv) : undefined;
      return own && own[2] !== null ? [[index + 1, own[2], own[3] ?? 0]] : [];
    });
    if (points.length < 2) return [];
    // As wide as the page, so that its text has the size of the page's.
    const width = Math.max(280, root.clientWidth);
    const [height, left, right, top, bottom] = [130, 56, width - 8, 10, 106];
    // The value of a won game can be far from all others; then it is at the edge.
    const isFar = ([, mean]) => Math.abs(mean) >= FAR;
    const near = points.filter((point) => !isFar(point));
    const ends = (near.length > 1 ? near : points).flatMap(([, mean, error]) => [mean - error, mean + error]);
    let [low, high] = [Math.min(...ends), Math.max(...ends)];
    if (!(high - low > 1e-9)) [low, high] = [low - 1, high + 1];
    const x = (ply) => left + (right - left) * (game.plies.length < 2 ? 0 : (ply - 1) / game.plies.length);
    const y = (mean) => bottom - (bottom - top) * (Math.max(low, Math.min(high, mean)) - low) / (high - low);
    const at = (number) => number.toFixed(1);
    const words = (text, where) => {
      const made = drawn('text', where);
      made.textContent = text;
      return made;
    };
    const [first, last] = [points[0], points[points.length - 1]];
    const about = `${named(number)}: ${value(first[1], first[2])} at ply ${first[0]}, ${value(last[1], last[2])} at ply ${last[0]}.`;
    const svg = drawn('svg', { class: 'course', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Value over the game for ${about} The slider goes to each ply.` },
      drawn('path', { class: 'grid', d: `M${left} ${top}H${right}M${left} ${bottom}H${right}` }),
      words(places(high), { x: left - 6, y: top + 5, 'text-anchor': 'end' }),
      words(places(low), { x: left - 6, y: bottom + 4, 'text-anchor': 'end' }),
      words('1', { x: left, y: height - 4, 'text-anchor': 'middle' }),
      words(`ply ${game.plies.length}`, { x: x(game.plies.length), y: height - 4, 'text-anchor': 'end' }),
      drawn('g', { class: `s${number}` },
        drawn('path', { d: points.map(([ply, mean, error]) => error > 0 ? `M${at(x(ply))} ${at(y(mean - error))}V${at(y(mean + error))}` : '').join('') }),
        drawn('path', { d: `M${points.map(([ply, mean]) => `${at(x(ply))} ${at(y(mean))}`).join('L')}` }),
        ...points.map(([ply, mean]) => drawn('circle', { cx: at(x(ply)), cy: at(y(mean)), r: 2.2 }))),
      drawn('line', { class: 'now', y1: top - 6, y2: bottom + 6 }));
    svg.place = (ply) => at(x(ply));
    svg.addEventListener('click', ({ clientX }) => {
      const { left: begin, width: size } = svg.getBoundingClientRect();
      const ply = 1 + game.plies.length * ((clientX - begin) / size * width - left) / (right - left);
      go(Math.round(ply) - 1);
    });
    const far = near.length > 1 && points.some(isFar) ? '; values of ended games are at the edge' : '';
    return [element('h4', `Value over the game for ${named(number)}, by its own search${far}`), svg];
  };

  const drawCourse = () => course.replaceChildren(...game.seats.flatMap((_, at) => panel(at + 1)));

  const open = (index) => {
    game = games[index];
    choice.value = String(index);
    const seats = game.seats.map((_, at) => `${named(at + 1)}: ${game.seats[at].searcher}`).join('; ');
    const where = game.game === game.experiment ? game.game : `${game.experiment}, ${game.game}`;
    find('game-about').textContent = `${where}, instance ${game.instance}, game ${game.number} of trial ${game.trial}. ${seats}.`;
    find('game-why').replaceChildren(...game.why.map(({ words, ply }) => {
      const item = element('li', ply === null ? words : '');
      if (ply !== null && game.plies.length >= ply) {
        const button = element('button', words, { type: 'button' });
        button.addEventListener('click', () => go(ply - 1));
        item.append(button);
      }
      return item;
    }));
    const isShown = game.plies.length > 0;
    find('game-board').hidden = !isShown;
    if (!isShown) {
      course.replaceChildren(element('p', `It cannot be played again: ${game.unrepeatable}. ${resultWords()}`));
      return;
    }
    slider.max = String(game.plies.length);
    drawCourse();
    step = (game.why.find(({ ply }) => ply !== null)?.ply ?? game.plies.findIndex(({ by }) => by === 'player') + 1) - 1;
    go(step, false);
  };

  games.forEach(({ label }, index) => choice.append(element('option', label, { value: index })));
  choice.addEventListener('change', () => open(Number(choice.value)));
  slider.addEventListener('input', () => go(Number(slider.value), false));
  const moves = { first: () => 0, back: () => step - 1, forward: () => step + 1, last: () => game.plies.length };
  for (const [name, words] of [['first', 'First'], ['back', 'Back'], ['forward', 'Forward'], ['last', 'Last']]) {
    const button = element('button', words, { type: 'button', 'data-step': name });
    button.addEventListener('click', () => go(moves[name]()));
    find('steps').append(button);
  }
  const keys = { ArrowLeft: 'back', ArrowRight: 'forward', Home: 'first', End: 'last' };
  root.addEventListener('keydown', (event) => {
    const key = keys[event.key];
    const isTaken = event.target.closest('select, input, pre') || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!key || isTaken || !game.plies.length) return;
    event.preventDefault();
    go(moves[key]());
  });
  addEventListener('resize', () => {
    if (!game.plies.length) return;
    drawCourse();
    show(false);
  });
  root.hidden = false;
  open(0);
})();
