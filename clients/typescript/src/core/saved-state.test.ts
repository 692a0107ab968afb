import { expect, test } from 'vitest';
import { mergeState, type SavedState } from './saved-state.ts';

const state = (installation: string, more: Partial<SavedState> = {}): SavedState => ({
  consent: 'granted',
  installation,
  device: null,
  deviceAccount: null,
  deviceRequest: null,
  losses: {},
  ...more,
});
const account = (deviceId: string) => ({
  device: { deviceId, deviceSecret: 'secret' },
  deviceAccount: `account of ${deviceId}`,
});
const quiet = { lost: {}, isChosen: false };

test('a process learns the account of its installation from another one, and does not forget its own', () => {
  const [mine, known] = [state('aaaaaaaa'), state('aaaaaaaa', account('one'))];
  expect(mergeState(mine, known, quiet)).toEqual(known);
  expect(mergeState(known, mine, quiet)).toEqual(known);
});

test('the account of an installation whose folder was deleted does not become that of the next one', () => {
  const former = state('aaaaaaaa', account('former'));
  const fresh = state('bbbbbbbb', { deviceRequest: 'asked' });
  expect(mergeState(former, fresh, quiet)).toEqual(fresh);
  const next = state('bbbbbbbb', account('next'));
  expect(mergeState(former, next, quiet)).toEqual(next);
});

test('losses of both are counted', () => {
  const known = state('aaaaaaaa', { losses: { torn: 1, storage: 2 } });
  const merged = mergeState(state('aaaaaaaa'), known, { lost: { storage: 3 }, isChosen: false });
  expect(merged.losses).toEqual({ torn: 1, storage: 5 });
});
