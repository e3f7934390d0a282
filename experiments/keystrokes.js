// The fewest keys that lead from the readings that the editor offers to the gold ones: a search by
// cost over what every key does, with the editor's own functions.
async ({ data, gold }) => {
  const edits = await import("/static/edits.js");
  const MOST = 200000; // states; then the word counts as not found
  const wanted = gold.map(edits.key);
  const strings = [...new Set(gold.flatMap((tree) => edits.leaves(tree).map(({ leaf }) => leaf.string)))];
  const name = ({ tree, caret }) => `${caret} ${edits.key(tree)}`;
  const starts = data.readings.map(({ tree }) => edits.begin(data.word, tree, data));

  /** The keys that write one string in place of another, the cursor being at its end. */
  function typed(before, after) {
    let same = 0;
    while (same < Math.min(before.length, after.length) && before[same] === after[same]) same++;
    return ["/", ...Array(before.length - same).fill("Backspace"), ...after.slice(same), "Enter"];
  }

  function* steps(state) {
    for (const [key, change] of Object.entries(edits.KEYS)) {
      const next = change(state, data);
      if (next) yield [[key], next];
    }
    const now = edits.target(state).leaf.string;
    for (const text of strings) {
      const next = edits.respell(state, text);
      if (next) yield [typed(now, text), next];
    }
    const chosen = data.readings.findIndex(({ tree }) => edits.same(tree, state.tree));
    const count = starts.length;
    const other = (by) => starts[(chosen + by + count) % count];
    if (count) yield [["j"], other(1)];
    if (count) yield [["k"], other(-1)];
  }

  /** The cheapest way from a state to a tree: {keys, state}, or null. */
  function way(start, goal) {
    const buckets = [[{ keys: [], state: start }]];
    const done = new Set();
    for (let cost = 0; cost < buckets.length; cost++) {
      for (const { keys, state } of buckets[cost] ?? []) {
        if (edits.key(state.tree) === goal) return { keys, state };
        if (done.has(name(state))) continue;
        done.add(name(state));
        if (done.size > MOST) return null;
        for (const [more, next] of steps(state)) {
          const all = [...keys, ...more];
          (buckets[all.length] ??= []).push({ keys: all, state: next });
        }
      }
    }
    return null;
  }

  /** The keys that accept a tree from a state: its number, 0 for a simple word, or edits and Enter. */
  function accepted(state, goal) {
    const number = data.readings.findIndex(({ tree }) => edits.key(tree) === goal);
    if (edits.key(state.tree) === goal) return ["Enter"];
    if (number >= 0) return [String(number + 1)];
    if (edits.key(edits.simple(data.word)) === goal) return ["0"];
    const found = way(state, goal);
    return found && [...found.keys, "Enter"];
  }

  function several(state, goals) {
    if (goals.length === 1) return accepted(state, goals[0]);
    const all = goals.map((first) => {
      const found = way(state, first);
      const rest = found && several(found.state, goals.filter((goal) => goal !== first));
      return rest && [...found.keys, "+", ...rest];
    });
    return all.filter(Boolean).sort((one, other) => one.length - other.length)[0] ?? null;
  }

  const first = starts[0] ?? edits.begin(data.word, edits.simple(data.word), data);
  return several(first, wanted);
}
