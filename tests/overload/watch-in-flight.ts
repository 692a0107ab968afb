import { setTimeout as delay } from 'node:timers/promises';

/** The highest in-flight figure that the gateway reported. */
export function watchInFlight(port: number): { highest(): Promise<number> } {
  let isOver = false;
  let highest = 0;
  const watching = (async () => {
    while (!isOver) {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { Connection: 'close' } });
      const bytes = /^tickrate_gateway_in_flight_bytes (\S+)$/m.exec(await answer.text())?.[1];
      highest = Math.max(highest, Number(bytes));
      await delay(50);
    }
  })();
  return {
    async highest() {
      isOver = true;
      await watching;
      return highest;
    },
  };
}
