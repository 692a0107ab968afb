/** What is free on the volumes of stores at which a gateway cannot look itself. */
export const diskLevelsSql = `
CREATE TABLE delivery.disks (
  store       text        PRIMARY KEY,
  free_bytes  float8      NOT NULL,
  total_bytes float8      NOT NULL,
  read_at     timestamptz NOT NULL
) WITH (fillfactor = 50);
`;
