import { randomBytes } from 'node:crypto';
import { openCaseInput } from '@deviceportal/contract/cases';
import type { TicketSystemSettings } from '@deviceportal/contract/ticket-systems';
import { internalHostsOf } from '../../src/platform/outside/internal-hosts.ts';
import { addCaseNote } from '../../src/cases/add-case-note.ts';
import { closeCase } from '../../src/cases/close-case.ts';
import { openCase } from '../../src/cases/open-case.ts';
import { createTextVault } from '../../src/commands/output/text-vault.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { createTicket, getTicketOfCase } from '../../src/tickets/create-ticket.ts';
import { deliverTickets } from '../../src/tickets/deliver-tickets.ts';
import { saveTicketSystem } from '../../src/tickets/save-ticket-system.ts';
import { callerIn, seedPerson, type SeededPerson } from '../cases/case-fixture.ts';
import { viewerWith, type CommandFixture } from '../support/command-fixture.ts';

const HOUR_MS = 3_600_000;
export const SECRET = 'the-secret-of-the-account';

/** Cases with a ticket system, and a clock of their own. */
export class TicketsFixture {
  readonly #fixture: CommandFixture;
  readonly person: SeededPerson;
  readonly support: Viewer = { ...viewerWith('Support'), displayName: 'Ana Support' };
  #nowMs = Date.now();

  private constructor(fixture: CommandFixture, person: SeededPerson) {
    this.#fixture = fixture;
    this.person = person;
  }

  static async open(fixture: CommandFixture): Promise<TicketsFixture> {
    return new TicketsFixture(fixture, await seedPerson(fixture.deps.database, 'Maria Gomez'));
  }

  get deps() {
    return {
      ...this.#fixture.deps,
      clock: () => new Date(this.#nowMs),
      publicUrl: 'https://portal.example.com',
      tickets: {
        vault: this.vault,
        internalHosts: internalHostsOf(['127.0.0.1']),
      },
    };
  }

  readonly vault = createTextVault(randomBytes(32));

  settings(
    kind: TicketSystemSettings['kind'],
    url: string,
    shares: TicketSystemSettings['shares'] = 'nothing',
  ): TicketSystemSettings {
    const common = { url, account: 'portal@example.com', secret: SECRET, shares };
    return kind === 'jira'
      ? { kind, ...common, project: 'SUP', issueType: 'Task', closing: 'done' }
      : { kind, ...common, table: 'incident', resolvedState: '6', closeCode: 'Solved' };
  }

  connect(settings: TicketSystemSettings): Promise<void> {
    return saveTicketSystem(this.deps, callerIn(viewerWith('Administrator')), settings);
  }

  async openCase(about = 'Maria Gomez cannot print at 10.1.2.3'): Promise<string> {
    const input = openCaseInput.parse({ personId: this.person.id, about, queue: 'Lockers' });
    return (await openCase(this.deps, callerIn(this.support), input)).id;
  }

  create(caseId: string) {
    return createTicket(this.deps, callerIn(this.support), caseId);
  }

  note(id: string, text: string): Promise<void> {
    return addCaseNote(this.deps, callerIn(this.support), { id, text });
  }

  async close(id: string, text = 'a new cable'): Promise<void> {
    const deps = { ...this.deps, reportDays: 7, startReport: async () => {} };
    await closeCase(deps, callerIn(this.support), { id, outcome: 'resolved', text });
  }

  ticketOf(caseId: string) {
    return getTicketOfCase(this.deps, this.support, caseId);
  }

  /** Sends until nothing is due, with the pauses of repetitions. */
  async deliver(hours = 1): Promise<void> {
    for (let turn = 0; turn < 8; turn += 1) {
      while ((await deliverTickets(this.deps)) > 0);
      this.#nowMs += (hours * HOUR_MS) / 8;
    }
  }
}
