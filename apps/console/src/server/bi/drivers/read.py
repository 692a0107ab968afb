"""Prints what clickhouse-connect reads: URL USER PASSWORD DATABASE."""

import json
import sys
from urllib.parse import urlparse

import clickhouse_connect

url, user, password, database = sys.argv[1:]
place = urlparse(url)


def connect(given):
    return clickhouse_connect.get_client(
        host=place.hostname, port=place.port, username=user, password=given, database=database
    )


def refusal(attempt):
    try:
        attempt()
    except clickhouse_connect.driver.exceptions.Error as error:
        return str(error)
    return "none"


client = connect(password)
seen = {
    "levels": [row[0] for row in client.query("SELECT level FROM level_up ORDER BY level").result_rows],
    "tables": [row[0] for row in client.query("SHOW TABLES").result_rows],
    "dropped": refusal(lambda: client.command("DROP TABLE level_up")),
    "signedIn": refusal(lambda: connect("wrong")),
}
print(json.dumps(seen))
