import { expect, test } from 'vitest';
import { expectAccessible, openPage } from './open-page.ts';
import { createWorld } from './world.ts';

test('creates a key, shows it once, rotates it, and revokes the one whose ending was typed', async () => {
  const { projectId, call } = await createWorld();
  const { page, visit } = await openPage();
  await visit(`/p/${projectId}/settings?part=keys`);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Purpose').fill('Web shop <b>');
  await page.getByLabel('Expires, in Europe/Berlin').fill('2030-07-01T12:00');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
  const text = (await page.getByRole('region', { name: 'Key', exact: true }).textContent()) ?? '';
  expect(text).toMatch(/^tk_pub_[0-9A-Za-z]{36}$/);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: 'Web shop <b>' });
  await row.getByText('until').waitFor();
  await row.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Purpose').fill('Web shop <b>, new');
  await page.getByLabel('Web origins').fill('https://shop.example/path');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByLabel('Web origins').fill('https://shop.example');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: 'Web shop <b>, new' }).waitFor();
  const keys = await call<{ results: object[] }>('GET /v1/keys');
  expect(keys.results[0]).toMatchObject({
    origins: ['https://shop.example'],
    expires: '2030-07-01T10:00:00.000Z',
  });
  const dialog = page.getByRole('dialog');
  const shown = `${text.slice(0, 12)}…${text.slice(-4)}`;
  await row.getByRole('button', { name: 'Rotate' }).click();
  await dialog.getByText(shown).waitFor();
  await dialog.getByLabel('The old key ends').selectOption('at once');
  await dialog.getByText('refused within a second').waitFor();
  await dialog.getByLabel('The old key ends').selectOption('in 7 days');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  // The successor of a public key begins like it.
  expect(await page.getByText(text.slice(0, 12)).count()).toBe(2);
  const first = page.getByRole('row', { name: shown });
  await first.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByText(shown).waitFor();
  await dialog.getByRole('textbox').fill(text.slice(-4));
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await first.getByText('revoked').waitFor();
  expect(await page.content()).not.toContain(text);
});

test('connects a BI tool: shows its settings once, for a key that can only query', async () => {
  const { projectId, call } = await createWorld();
  const { page, visit } = await openPage({ width: 390 });
  await visit(`/p/${projectId}/settings?part=keys`);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Kind').selectOption('bi');
  await page.getByLabel('Purpose').fill('Grafana');
  await page.getByText('read this project as a ClickHouse server').waitFor();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
  const region = page.getByRole('region', { name: 'Key', exact: true });
  const settings = Object.fromEntries(
    ((await region.textContent()) ?? '').split('\n').map((line) => line.split(/ +/)),
  );
  expect(settings).toMatchObject({ User: projectId, Database: projectId.replace('p-', 'project_p_') });
  await expectAccessible(page);
  const keys = await call<{ results: object[] }>('GET /v1/keys');
  expect(keys.results[0]).toMatchObject({
    comment: 'Grafana',
    scopes: ['queries:read'],
    kind: 'administrative',
  });
  const answer = await fetch(settings['Address'] ?? '', {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${projectId}:${settings['Password']}`)}` },
    body: 'SHOW DATABASES',
  });
  expect(await answer.text()).toBe(`${settings['Database']}\n`);
});

test('invites an administrator again, and the audit says so in words', async () => {
  const { projectId } = await createWorld();
  const { page, visit } = await openPage();
  await visit(`/p/${projectId}/settings?part=members`);
  await page.getByText('No open invitations').waitFor();
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('row', { name: /ada@example\.com Viewer/ }).waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('dialog').getByLabel('Role').selectOption('analyst');
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('row', { name: /ada@example\.com Analyst/ }).waitFor();
  await page.getByRole('link', { name: 'Unsent mails', exact: true }).first().waitFor();
  await visit(`/p/${projectId}/settings?part=mails`);
  await page
    .getByRole('row', { name: /ada@example\.com/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByText(/invites you to the project/)
    .waitFor();
  await expectAccessible(page);
  await visit(`/p/${projectId}/settings?part=audit&act=withdrawInvitation`);
  await page.getByRole('row', { name: /You Withdrew an invitation a…@example\.com .*done/ }).click();
  await page.getByRole('dialog').getByText('"act": "withdrawInvitation"').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Only this account' }).click();
  await page.getByText('Only by You or on this account').waitFor();
  await page.getByLabel('Action').selectOption('Invited an administrator');
  await page.getByRole('row', { name: /Invited an administrator a…@example\.com → Analyst/ }).waitFor();
  // Sign-ins of players would hide the changes of the project.
  const asked = page.waitForRequest(/\/v1\/audit\?.*kind=management/);
  await visit(`/p/${projectId}/settings?part=audit`);
  await asked;
  await page.getByRole('row', { name: /Withdrew an invitation/ }).waitFor();
});

test('creates a project, and a role in it that is renamed with its member and deleted', async () => {
  const { page, visit } = await openPage();
  await visit('/');
  await page.getByRole('button', { name: /^Project: / }).click();
  await page.getByRole('menuitem', { name: 'New project …' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Kart on ice <b>');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Create a project' }).click();
  const text = await page.getByRole('region', { name: 'First key' }).textContent();
  expect(text).toMatch(/^tk_adm_[0-9A-Za-z]{36}$/);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Open the project' }).click();
  await page.getByRole('button', { name: 'Project: Kart on ice <b>' }).waitFor();

  const world = await createWorld();
  const invited = await world.join('viewer');
  const { email } = invited;
  // The first sign-in makes the invited user a member.
  await openPage({ as: invited });
  await visit(`/p/${world.projectId}/settings?part=roles`);
  await page.getByRole('row', { name: /^Admin built-in/ }).click();
  expect(await page.getByRole('combobox', { name: 'Players' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'New role' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Support!');
  await page.getByRole('combobox', { name: 'Players' }).selectOption('Read and write');
  await page.getByRole('dialog').getByRole('button', { name: 'New role' }).click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid'))
    .toBe('true');
  // While the answer is on its way, the button is grey.
  await expect
    .poll(() => page.getByRole('dialog').getByRole('button', { name: 'New role' }).isEnabled())
    .toBe(true);
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Name' }).fill('support');
  await page.getByRole('dialog').getByRole('button', { name: 'New role' }).click();
  await page.getByRole('row', { name: /^support own 0 Write: Players/ }).waitFor();

  interface Member {
    readonly accountId: string;
    readonly emailAddress: string;
    readonly version: string;
  }
  const { results } = await world.call<{ results: Member[] }>('GET /v1/members');
  const member = results.find(({ emailAddress }) => emailAddress === email);
  await world.call(`PATCH /v1/members/${member?.accountId ?? ''}`, {
    version: member?.version,
    role: 'support',
  });
  await visit(`/p/${world.projectId}/settings?part=roles`);
  await page.getByRole('row', { name: /^support own 1/ }).click();
  await page.getByRole('dialog').getByText('keys that they made lose these rights too').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('helpers');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /^helpers own 1/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByLabel('Role that they get').selectOption('analyst');
  await page.getByLabel('Type helpers to confirm').fill('helpers');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('row', { name: /^Analyst built-in 1/ }).waitFor();
  expect(await page.getByRole('row', { name: /helpers|support/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Members' }).click();
  expect(await page.getByRole('row', { name: email }).getByLabel('Role').inputValue()).toBe('analyst');
});

test('lists what a member made before it is lowered and before it is removed, and what becomes of it', async () => {
  const world = await createWorld();
  const joined = await world.join('admin');
  const member = await openPage({ as: joined });
  await member.visit(`/p/${world.projectId}/settings?part=keys`);
  await member.page.getByRole('button', { name: 'Create a key' }).click();
  await member.page.getByLabel('Purpose').fill('Nightly <b>');
  await member.page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
  await member.page.getByRole('button', { name: 'Done' }).click();
  await member.visit(`/p/${world.projectId}/settings?part=members`);
  await member.page.getByRole('button', { name: 'Invite' }).click();
  await member.page.getByLabel('E-mail address').fill('bo@example.com');
  await member.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  await member.page.getByRole('row', { name: /bo@example\.com Viewer/ }).waitFor();

  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/settings?part=members`);
  const row = page.getByRole('row', { name: joined.email });
  const dialog = page.getByRole('dialog');
  const [keys, invitations] = ['Their keys, and keys made with them', 'Their open invitations'].map((name) =>
    dialog.getByRole('region', { name }),
  );
  await row.getByLabel('Role').selectOption('viewer');
  await dialog.getByText('Keys lose the scopes that the new role does not grant, for good.').waitFor();
  await keys?.getByText('Nightly <b>').waitFor();
  await invitations?.getByRole('listitem').filter({ hasText: 'bo@example.com (Viewer): ends' }).waitFor();
  await keys?.getByRole('listitem').filter({ hasText: 'Nightly <b>: stays' }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Change the role' }).click();
  await page.getByText('No open invitations').waitFor();
  await row.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('Keys still send events and lose every other right.').waitFor();
  await keys?.getByText('Nightly <b>').waitFor();
  expect(await invitations?.count()).toBe(0);
  await expectAccessible(page);
  await dialog.getByRole('textbox').fill(joined.email);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
});

test('edits policies and the name; a refusal stands at its field and loses nothing that was typed', async () => {
  const world = await createWorld();
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/settings?part=limits`);
  const rates = page.getByRole('form', { name: 'Rates' });
  await rates.getByLabel('Per key').fill('7.5');
  await rates.getByLabel('Whole project').fill('900');
  await rates.getByRole('button', { name: 'Save' }).click();
  await rates.getByText('Nothing was saved').waitFor();
  expect(await rates.getByLabel('Per key').getAttribute('aria-invalid')).toBe('true');
  expect(await rates.getByLabel('Whole project').inputValue()).toBe('900');
  // Another part of the settings and back: the edits are still there.
  await page.getByRole('link', { name: 'Project', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Kart <b>&');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Project: Kart <b>&' }).waitFor();
  await page.getByRole('link', { name: 'Limits and retention' }).click();
  await world.call('PUT /v1/policies/rates', {
    version: (await world.call<{ version: string }>('GET /v1/policies/rates')).version,
    value: { perAddress: 50 },
  });
  await rates.getByLabel('Per key').fill('70');
  await rates.getByRole('button', { name: 'Save' }).click();
  await rates.getByText('Someone else changed this').waitFor();
  await expect.poll(() => rates.getByLabel('Per client address').inputValue()).toBe('50');
  await rates.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Every process').waitFor();
  expect(await world.call('GET /v1/policies/rates')).toMatchObject({
    value: { perAddress: 50, perKey: 70, perProject: 900 },
  });

  await visit(`/p/${world.projectId}/settings?part=signIn`);
  const providers = page.getByRole('form', { name: 'Sign-in providers' });
  await providers.getByRole('checkbox', { name: /^Steam/ }).check();
  await providers.getByLabel('Publisher Web API key').fill('a-secret');
  await providers.getByLabel('App IDs').fill('480x');
  await providers.getByRole('button', { name: 'Save' }).click();
  await providers.getByText('Nothing was saved').waitFor();
  expect(await providers.getByLabel('App IDs').getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);
  await providers.getByLabel('App IDs').fill('480\n730\n');
  await providers.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Every process').waitFor();
  expect(await world.call('GET /v1/policies/providers')).toMatchObject({
    value: { steam: { publisherKey: '********', appIds: ['480', '730'] } },
  });
});

test('shows a viewer what a viewer may see, and an owner everything', async () => {
  const world = await createWorld();
  await world.declare('level_up', { level: { type: 'integer' } });
  const viewer = await openPage({ as: await world.join('viewer') });
  await viewer.visit('/');
  const navigation = viewer.page.getByRole('navigation', { name: 'Pages' });
  await navigation.getByRole('link', { name: 'Event types' }).waitFor();
  expect(await navigation.getByRole('link', { name: /Players|Quarantine/ }).count()).toBe(0);
  await viewer.visit(`/p/${world.projectId}/players`);
  await viewer.page.getByText('You cannot see this page').waitFor();
  await expectAccessible(viewer.page);
  await viewer.visit(`/p/${world.projectId}/types/level_up`);
  expect(await viewer.page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await viewer.visit(`/p/${world.projectId}/settings`);
  await viewer.page.getByText('Your role in this project can see this').waitFor();
  expect(await viewer.page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true);
  expect(await viewer.page.getByRole('link', { name: 'API keys' }).count()).toBe(0);

  const owner = await openPage();
  await owner.visit(`/p/${world.projectId}/players`);
  await owner.page.getByRole('navigation', { name: 'Pages' }).getByText('Quarantine').waitFor();
  expect(await owner.page.getByText('You cannot see this page').count()).toBe(0);
  await owner.visit(`/p/${world.projectId}/settings`);
  expect(await owner.page.getByRole('textbox', { name: 'Name' }).isEnabled()).toBe(true);
});
