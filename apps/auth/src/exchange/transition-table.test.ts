import { expect, test } from 'vitest';
import type { Item, WorldShape } from '../testing/model-shape.ts';
import { createModel } from '../testing/model-world.ts';

const base: WorldShape = {
  policy: {
    tokens: 'auto',
    email: 'ask',
    linking: 'ask',
    passwordSignIn: true,
    hasTerms: false,
    askMarketing: false,
    requireSecondFactor: false,
  },
  owner: { hasEmail: true, hasSecondFactor: false, isBanned: false, tokens: ['steam'] },
  otherHasItch: false,
  emailOfItch: false,
  isRecent: true,
};
const { policy, owner } = base;
const setUpWorld: WorldShape = { ...base, policy: { ...policy, requireSecondFactor: true } };
const worlds: readonly WorldShape[] = [
  base,
  { ...base, owner: { ...owner, hasSecondFactor: true } },
  { ...base, owner: { ...owner, isBanned: true } },
  { ...base, otherHasItch: true },
  { ...base, emailOfItch: true },
  { ...base, policy: { ...policy, tokens: 'ask' } },
  { ...base, policy: { ...policy, tokens: 'closed' } },
  { ...base, policy: { ...policy, hasTerms: true, askMarketing: true } },
  setUpWorld,
];
const items: readonly Item[] = [
  ...(['steam', 'itchIo', 'email', 'password', 'wrongPassword', 'code', 'wrongCode'] as const),
  ...(['terms', 'marketing', 'link', 'skip', 'register'] as const),
];

const setUpItems: readonly Item[] = [
  ...([
    'steam',
    'email',
    'password',
    'wrongPassword',
    'mailedCode',
    'newCode',
    'wrongCode',
    'register',
  ] as const),
];

/** Every transition: from each state, by each set of added members, to the next states. */
function transitions(): Map<string, Set<string>> {
  const table = new Map<string, Set<string>>();
  for (const world of worlds) {
    const sendable = world === setUpWorld ? setUpItems : items;
    const sent = Array.from({ length: 1 << sendable.length }, (_, mask) => chosen(sendable, mask));
    const states = sent.map((each) => stateOf(world, each));
    for (const [mask, from] of states.entries()) {
      for (const [at, item] of sendable.entries()) {
        if ((mask & (1 << at)) !== 0) continue;
        const to = states[mask | (1 << at)] ?? '';
        if (from === 'Complete' || from === to) continue;
        const key = `${from} | ${item}`;
        table.set(key, (table.get(key) ?? new Set()).add(to));
      }
    }
  }
  return table;
}

function stateOf(world: WorldShape, sent: readonly Item[]): string {
  const model = createModel(world);
  const first = model.send(sent);
  // The first answer shows the setup or announces a mail. A code of either can only come after it.
  const isSetup = first.kind === 'prompt' && (first.enrolling !== null || first.state === 'NeedMailedCode');
  const decision = isSetup ? model.send(sent) : first;
  if (decision.kind === 'fetch') throw new Error('The exchange has not decided');
  return sent.length === 0 ? 'Started' : decision.state;
}

function chosen(sendable: readonly Item[], mask: number): Item[] {
  return sendable.filter((_, at) => (mask & (1 << at)) !== 0);
}

// Invariant (Sign-in): The documented states of a sign-in are the real ones
test('docs/sign-in-states.md lists exactly these transitions', async () => {
  const rows = [...transitions()].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = rows.map(([key, to]) => `| ${key} | ${[...to].toSorted().join(', ')} |`);
  const page = `# Sign-in states

<!-- Written by \`vitest run apps/auth/src/exchange -u\` from the code. It covers every set of items
that a client can send, in situations that differ in one fact each. -->

The state depends on everything that the client has sent so far. A row shows the states that one additional item can lead
to. The result depends on the account and the project's policies. Items that do not change the state have no row.

\`Refused\` is an error. It changes only counters, and the client continues from the previous state.
[docs/sessions.md](sessions.md) describes what each state requires.

| from | additional item | to |
|---|---|---|
${lines.join('\n')}
`;
  await expect(page).toMatchFileSnapshot('../../../../docs/sign-in-states.md');
});
