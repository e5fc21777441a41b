import type {
  TicketSystem,
  TicketSystemKind,
  TicketSystemSettings,
} from '@deviceportal/contract/ticket-systems';

/** What is typed in the form, for both systems. */
export interface TicketDraft {
  readonly kind: TicketSystemKind;
  readonly url: string;
  readonly account: string;
  readonly secret: string;
  readonly shares: TicketSystemSettings['shares'];
  readonly project: string;
  readonly issueType: string;
  readonly closing: string;
  readonly table: string;
  readonly resolvedState: string;
  readonly closeCode: string;
}

const empty: TicketDraft = {
  ...{ kind: 'jira', url: '', account: '', secret: '', shares: 'nothing' },
  ...{ project: '', issueType: 'Task', closing: 'Done' },
  ...{ table: 'incident', resolvedState: '6', closeCode: 'Solved (Permanently)' },
};

export const draftOf = (stored: TicketSystem | null): TicketDraft => ({
  ...empty,
  ...stored?.settings,
  secret: '',
});

export function settingsOf(draft: TicketDraft): TicketSystemSettings {
  const { kind, url, account, secret, shares } = draft;
  const common = { url: url.trim(), account: account.trim(), secret, shares };
  if (kind === 'jira') {
    const { project, issueType, closing } = draft;
    return { kind, ...common, project, issueType, closing };
  }
  const { table, resolvedState, closeCode } = draft;
  return { kind, ...common, table, resolvedState, closeCode };
}
