#!/usr/bin/env bash
# What a studio does on its first day, from an installation that `npm start` has just made:
#   examples/studio.sh .tickrate
set -euo pipefail
cd "$(dirname "$0")/.."
DATA="${1:-.tickrate}"
export PATH="$PWD/node_modules/.bin:$PATH"

tickrate() { node apps/cli/src/main.ts "$@" --data "$DATA"; }
# The value at a path of the JSON on standard input: `json a.b`.
json() { node -e 'let v = JSON.parse(require("fs").readFileSync(0)); for (const k of process.argv[1].split(".")) v = v[k]; console.log(v)' "$1"; }
installed() { json "$1" < "$DATA/standalone.json"; }
say() { printf '\n== %s\n' "$*"; }

gateway=$(installed gateway) auth=$(installed auth) console=$(installed console)
admin_key=$(installed keys.administrative)

say 'Is everything there?'
tickrate doctor

say 'A key for game builds'
public_key=$(tickrate keys create --kind public --comment 'Game builds' --json | json text)

say 'Somebody else is to look at the numbers'
tickrate invitations create bo@example.com viewer

say 'Event types from files: tried first, then declared'
tickrate event-types apply examples/event-types --dry-run
tickrate event-types apply examples/event-types

say 'Two players sign in and play'
sign_in() {
  curl -fsS -X PUT "$auth/2018-03-24/authenticate" -H "X-API-Key: $public_key" \
    -H 'Content-Type: application/json' -d '{"tokens":{"deviceTokens":[{"deviceId":"new"}]},"registration":{"displayName":"'"$1"'"}}'
}
insert() {
  curl -fsS -X PUT "$gateway/v1/event/insert?eventType=$2" -H "X-API-Key: $1" \
    -H 'Content-Type: application/json' -d "$3" > /dev/null
}
ada=$(sign_in Ada) bo=$(sign_in Bo)
ada_key=$(json authenticatedSession.apiKey <<< "$ada") ada_id=$(json authenticatedSession.accountId <<< "$ada")
bo_key=$(json authenticatedSession.apiKey <<< "$bo") bo_id=$(json authenticatedSession.accountId <<< "$bo")
insert "$ada_key" tutorial_finished '{"seconds":95}'
insert "$ada_key" boss_fought '{"boss":"spider","won":true,"seconds":40.5}'
insert "$ada_key" item_bought '{"item":"rope","price":12,"nickname":"Ada"}'
insert "$bo_key" tutorial_finished '{"seconds":30,"skipped":true}'
insert "$bo_key" boss_fought '{"boss":"dragon","won":false,"seconds":8}'
tickrate send item_bought '[{"item":"gift","price":1},{"item":"gift","price":1}]'

# The next build of the game knows a boss that nobody has declared yet.
insert "$bo_key" boss_fought '{"boss":"lich","won":true,"seconds":61}' 2> /dev/null && exit 1

say 'A compatible version, and one that would break the games out there'
tickrate event-types apply examples/event-types-next --compatible-only
tickrate event-types apply examples/event-types-breaking --compatible-only && exit 1

say 'What was refused before the boss was declared'
until tickrate quarantine counts --type boss_fought --json | grep -q enum; do sleep 0.2; done
tickrate quarantine replay --type boss_fought

stored() { tickrate query "SELECT count() AS n FROM events WHERE type IN ('tutorial_finished', 'boss_fought', 'item_bought')" --format CSV | tail -n 1; }
until [ "$(stored)" = 8 ]; do sleep 0.2; done

say 'What was played'
tickrate query 'SELECT boss, count() AS fights, countIf(won) AS won, max(party) AS party FROM boss_fought GROUP BY boss ORDER BY boss'

say 'How many get from the tutorial to the shop'
day() { node -p "new Date(Date.now() + $1 * 86400000).toISOString()"; }
funnel() {
  curl -fsS "$console/v1/analyses/funnel" -H "X-API-Key: $admin_key" -H 'Content-Type: application/json' -d '{
    "from": "'"$(day -1)"'", "to": "'"$(day 1)"'", "windowSeconds": 3600,
    "steps": [
      {"type": "tutorial_finished"},
      {"type": "boss_fought", "where": [{"member": "won", "is": "equal", "value": true}]},
      {"type": "item_bought"}
    ]
  }'
}
funnel
echo
tickrate analyse funnel --step tutorial_finished --step 'boss_fought won=true' --step item_bought --window 1h --from 1h

say 'Bo has cheated'
tickrate players ban "$bo_id" --reason 'aimbot' --expires 7d
# Every gateway refuses the sessions of a banned player within a second.
while insert "$bo_key" tutorial_finished '{"seconds":1}' 2> /dev/null; do sleep 0.2; done

say 'Ada wants to be forgotten'
# Events of hers may still be on their way, so the worker waits for ERASURE_MARGIN before it looks for them.
erased=$(curl -fsS -X DELETE "$auth/2018-03-24/account" -H "X-API-Key: $ada_key")
erasure=$(json erasures.0.id <<< "$erased")
proof() { curl -fsS "$auth/2018-03-24/account/erasure/$erasure" -H "X-API-Key: $public_key"; }
until [ "$(proof | json state)" = done ]; do sleep 0.2; done
proof
echo
tickrate query 'SELECT count() AS of_ada FROM events WHERE account_id = {ada:String}' --param "ada=$ada_id"

say 'Done'
tickrate status
