/** Docker's health check, run inside the container: fails, and says why, unless the process reports that it is ready. */
const port = process.env['METRICS_PORT'] ?? process.env['PORT'] ?? '9080';
const why = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2_500) }).then(
  async (answer) => (answer.ok ? null : `not ready: ${answer.status} ${await answer.text()}`),
  () => `no answer on port ${port}: it starts, or has ended`,
);
if (why !== null) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
