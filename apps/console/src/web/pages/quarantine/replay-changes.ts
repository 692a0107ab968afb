/** What a page shows that a replay changes. */
export const replayChanges = [
  'GET /v1/quarantine/counts',
  'GET /v1/quarantine',
  'GET /v1/quarantine/replays',
  'POST /v1/event-types/{name}/check',
  'GET /v1/pipeline',
  'GET /v1/overview',
] as const;
