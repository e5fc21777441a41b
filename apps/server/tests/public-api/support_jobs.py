"""The support jobs with a client that openapi-python-client has generated. Prints what it has read as JSON.

Arguments: folder of the generated package, address of the API, token, serial number of a device, ID of a person.
"""

import json
import sys
import uuid

folder, address, token, serial_number, person_id = sys.argv[1:]
sys.path.insert(0, folder)

from device_portal_api_client import AuthenticatedClient  # noqa: E402
from device_portal_api_client.api.cases import add_case_entry, close_case, list_case_entries, open_case  # noqa: E402
from device_portal_api_client.api.commands import (  # noqa: E402
    cancel_run,
    create_run,
    get_invocation,
    get_run_report,
    list_commands,
    list_run_invocations,
)
from device_portal_api_client.api.devices import get_device, list_devices  # noqa: E402
from device_portal_api_client.api.documents import get_document  # noqa: E402
from device_portal_api_client.api.search import search  # noqa: E402
from device_portal_api_client.models import CaseClosing, Error, NewCase, NewCaseEntry, NewRun  # noqa: E402
from device_portal_api_client.models.case_closing_outcome import CaseClosingOutcome  # noqa: E402
from device_portal_api_client.models.run_detail_state import RunDetailState  # noqa: E402

client = AuthenticatedClient(base_url=address, token=token)


def sent(answer):
    """The parsed answer of an operation, which must not be an error."""
    if answer is None or isinstance(answer, Error):
        raise SystemExit(f"rejected: {answer}")
    return answer


hits = sent(search.sync(client=client, q=serial_number))
page = sent(list_devices.sync(client=client, country=["DE"], page_size=10))
device = sent(get_device.sync(serial_number, client=client))
logs = next(each for each in sent(list_commands.sync(client=client)).items if each.command == "logs/tail")
document = sent(get_document.sync(logs.document, client=client))
case = sent(open_case.sync(client=client, body=NewCase(person_id=uuid.UUID(person_id), ticket="PY-1")))
new_run = NewRun(command="logs/tail", devices=[serial_number], reason="PY-1", case_id=case.id)
key = str(uuid.uuid4())
run = sent(create_run.sync(client=client, body=new_run, idempotency_key=key))
again = sent(create_run.sync(client=client, body=new_run, idempotency_key=key))
invocation = sent(list_run_invocations.sync(run.id, client=client)).items[0]
result = sent(get_invocation.sync(invocation.id, client=client))
canceled = sent(cancel_run.sync(run.id, client=client))
report = sent(get_run_report.sync(run.id, client=client))
sent(add_case_entry.sync(case.id, client=client, body=NewCaseEntry(text="from Python")))
entries = sent(list_case_entries.sync(case.id, client=client)).items
closed = sent(
    close_case.sync(case.id, client=client, body=CaseClosing(outcome=CaseClosingOutcome.RESOLVED, text="done"))
)
missing = get_device.sync("NONE-1", client=client)

print(
    json.dumps(
        {
            "found": [hit.label for group in hits.groups for hit in group.hits],
            "listed": [each.serial_number for each in page.items],
            "problem": device.problems[0].code,
            "parameters": len(document.parameters),
            "repeated": again.id == run.id,
            "output": result.stdout.total,
            "canceled": canceled.state == RunDetailState.CANCELLED,
            "reported": [each.device.serial_number for each in report.invocations],
            "entries": [each.kind for each in entries],
            "case": closed.state.value,
            "error": missing.error.code,
        }
    )
)
