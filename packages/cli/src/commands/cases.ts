import { randomUUID } from 'node:crypto';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import { listItems } from '../api/list-items.ts';
import type { Printer } from '../output/printer.ts';
import type { Session } from '../session.ts';

type CaseDetail = OperationOutput<'getCase'>;

export interface CaseFilters {
  readonly state?: string;
  readonly mine?: boolean;
  readonly person?: string;
  readonly ticket?: string;
  readonly limit: number;
}

export async function listCases(
  session: Session,
  { limit, person: personId, ...filters }: CaseFilters,
): Promise<void> {
  const api = await session.api();
  const cases = listItems(
    (page) => api.call('listCases', { query: { ...filters, personId, ...page } }),
    limit,
  );
  await session.printer.list(
    cases,
    [
      { title: 'case', value: ({ id }) => id },
      { title: 'person', value: ({ person }) => person.name },
      { title: 'state', value: ({ state }) => state },
      { title: 'priority', value: ({ priority }) => priority },
      { title: 'ticket', value: ({ ticket }) => ticket },
      { title: 'opened', value: ({ openedAt }) => openedAt },
      { title: 'about', value: ({ about }) => about },
    ],
    'No cases match.',
  );
}

export async function showCase(session: Session, id: string): Promise<void> {
  const api = await session.api();
  printCase(session.printer, await api.call('getCase', { params: { case: id } }));
}

export async function listCaseEntries(
  session: Session,
  id: string,
  { limit }: { readonly limit: number },
): Promise<void> {
  const api = await session.api();
  await session.printer.list(
    listItems((page) => api.call('listCaseEntries', { params: { case: id }, query: page }), limit),
    [
      { title: 'time', value: ({ at }) => at },
      { title: 'actor', value: ({ actor }) => actor },
      { title: 'kind', value: ({ kind }) => kind },
      { title: 'data', value: ({ data }) => JSON.stringify(data) },
    ],
    'The case has no entries.',
  );
}

export interface NewCase {
  readonly ticket?: string;
  readonly about?: string;
  readonly priority?: OperationOutput<'getCase'>['priority'];
  readonly queue?: string;
  readonly due?: string;
}

export async function openCase(
  session: Session,
  personId: string,
  { due: dueAt, ...given }: NewCase,
): Promise<void> {
  const api = await session.api();
  const body = { personId, ...given, ...(dueAt !== undefined && { dueAt }) };
  printCase(session.printer, await api.call('openCase', { body }));
}

export async function addCaseNote(session: Session, id: string, text: string): Promise<void> {
  const api = await session.api();
  const made = await api.call('addCaseEntry', {
    ...{ params: { case: id }, body: { text }, idempotencyKey: randomUUID() },
  });
  printCase(session.printer, made);
}

export async function closeCase(
  session: Session,
  id: string,
  {
    outcome,
    text = '',
  }: { readonly outcome: NonNullable<CaseDetail['outcome']>; readonly text?: string },
): Promise<void> {
  const api = await session.api();
  const closed = await api.call('closeCase', { params: { case: id }, body: { outcome, text } });
  printCase(session.printer, closed);
}

function printCase(printer: Printer, one: CaseDetail): void {
  if (printer.isJson) {
    printer.json(one);
    return;
  }
  printer.facts({
    Case: one.id,
    Person: one.person.name,
    State: one.state,
    Priority: one.priority,
    Queue: one.queue,
    Assignee: one.assignee?.name,
    Ticket: one.ticket,
    About: one.about,
    'Opened by': one.openedBy,
    Opened: one.openedAt,
    Due: one.dueAt,
    Closed: one.closedAt,
    Outcome: one.outcome,
    Devices: one.devices.map(({ serialNumber, name }) => serialNumber ?? name).join(', '),
  });
}
