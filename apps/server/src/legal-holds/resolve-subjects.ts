import type { HeldKind } from '@deviceportal/contract/legal-holds';
import { refuse } from '@deviceportal/contract/refuse';
import { findUsersByName } from '../access/data/user-queries.ts';
import { findCaseIds } from '../cases/data/find-case-ids.ts';
import { findDeviceNumbers } from '../devices/data/find-device-numbers.ts';
import { findCustomersByName } from '../people/data/find-customers-by-name.ts';
import type { Transaction } from '../platform/database/database.ts';

export interface ResolvedSubject {
  readonly kind: HeldKind;
  readonly subjectId: string;
}

const caseAddress = /(?:^|\/cases\/)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[/?#]|$)/i;

/**
 * What the texts name: devices by serial number, users and customers by username, email address, or phone number, cases
 * by ID or address. A text that names a user and a customer is both.
 * @throws PortalError 2004 with the first text that names nothing
 */
export async function resolveSubjects(
  tx: Transaction,
  texts: readonly string[],
): Promise<ResolvedSubject[]> {
  const caseIds = texts.flatMap((text) => caseAddress.exec(text)?.[1]?.toLowerCase() ?? []);
  const [cases, devices, users, customers] = [
    await findCaseIds(tx, caseIds),
    await findDeviceNumbers(
      tx,
      texts.map((text) => text.toUpperCase()),
    ),
    await findUsersByName(tx, texts),
    await findCustomersByName(tx, texts),
  ];
  return texts.flatMap((text) => {
    const caseId = caseAddress.exec(text)?.[1]?.toLowerCase();
    const found: readonly (readonly [HeldKind, string | undefined])[] = [
      ['case', caseId !== undefined && cases.has(caseId) ? caseId : undefined],
      ['device', devices.get(text.toUpperCase())],
      ['user', users.get(text)],
      ['customer', customers.get(text)],
    ];
    const subjects = found.flatMap(([kind, subjectId]) =>
      subjectId === undefined ? [] : [{ kind, subjectId }],
    );
    if (subjects.length === 0) {
      throw refuse('hold-subject-unknown', { field: 'subjects', facts: { subject: text } });
    }
    return subjects;
  });
}
