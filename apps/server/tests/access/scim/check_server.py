"""Checks a SCIM service provider with scim2-tester, and prints its results as JSON.

Arguments: base URL, bearer token.
"""

import json
import sys

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

url, token = sys.argv[1:]
with httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60) as http:
    client = SyncSCIMClient(http)
    # Roles are neither created nor deleted by SCIM, which the checks of groups do.
    results = check_server(client, resource_types=["User"])
print(
    json.dumps(
        [
            {"status": result.status.name, "title": result.title, "reason": str(result.reason)}
            for result in results
        ]
    )
)
