/** The type that an empty project is helped to declare. */
export const sampleType = 'level_up';

export interface Line {
  readonly name: string;
  readonly code: string;
}

export interface Sent {
  /** Null in an installation without PUBLIC_GATEWAY_URL: the reader puts the address in. */
  readonly gateway: string | null;
  readonly key: string;
  readonly type: string;
  /** An event that fits the declaration. */
  readonly sample: unknown;
}

const unknownGateway = 'https://GATEWAY';

/** What sends an event from a terminal. */
export function terminalLines({ gateway, key, type, sample }: Sent): Line[] {
  const address = gateway ?? unknownGateway;
  // Between the quotes of a shell.
  const json = JSON.stringify(sample).replaceAll("'", String.raw`'\''`);
  return [
    {
      name: 'curl',
      code: `curl -X PUT '${address}/v1/event/insert?eventType=${type}' -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${json}'`,
    },
    {
      name: 'CLI',
      code: `TICKRATE_GATEWAY_URL=${address} TICKRATE_KEY=${key} npm run tickrate -- send ${type} '${json}'`,
    },
  ];
}

/**
 * What sends an event from a game, with each SDK. A game needs no flush: here it makes the event arrive at once. The names are those of the folders in `clients`, for
 * their README.
 */
export function gameLines({ gateway: known, key, type, sample }: Sent): Line[] {
  const gateway = known ?? unknownGateway;
  const json = JSON.stringify(sample);
  const members = Object.entries(Object(sample)).map(
    ([name, value]) => [name, JSON.stringify(value)] as const,
  );
  return [
    {
      name: 'TypeScript',
      code: `// On no registry yet: clients/typescript/README.md builds it.
import { Tickrate } from '@tickrate/sdk';

const tickrate = await Tickrate.open({
  url: '${gateway}',
  key: '${key}',
  consent: 'granted',
  debug: true,
});
tickrate.track({ eventType: '${type}', event: ${json} });
await tickrate.flush({ timeoutMs: 1500 });`,
    },
    {
      name: 'C# (Unity)',
      code: `var client = TickrateClient.Open(new Options {
    Url = "${gateway}",
    Key = "${key}",
    Folder = "save/tickrate", Consent = Consent.Granted });
client.TrackJson("${type}", 1, ${JSON.stringify(json)});
client.Flush(1500);`,
    },
    {
      name: 'C++ (Unreal)',
      code: `tickrate::Options options;
options.url = "${gateway}";
options.key = "${key}";
options.folder = "save/tickrate";
options.consent = tickrate::Consent::granted;
options.send = tickrate::curl_transport();
tickrate::Client client(options);
client.track("${type}", 1, [](tickrate::Writer& json) {
  json.begin_object();
${members.map(([name, value]) => `  json.member("${name}", ${value});\n`).join('')}  json.end_object();
});
client.flush(1500);`,
    },
    {
      name: 'GDScript (Godot)',
      code: `Tickrate.open({
	url = "${gateway}",
	key = "${key}",
	consent = "granted"})
Tickrate.track_event("${type}", {${members.map(([name, value]) => `${name} = ${value}`).join(', ')}})
Tickrate.flush(1500)`,
    },
    {
      name: 'fetch',
      code: `await fetch('${gateway}/v1/event/insert?eventType=${type}', {
  method: 'PUT',
  headers: { 'X-API-Key': '${key}', 'Content-Type': 'application/json' },
  body: JSON.stringify(${json}),
});`,
    },
  ];
}
