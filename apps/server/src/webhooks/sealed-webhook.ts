import type { TextVault } from '../commands/output/text-vault.ts';
import type { Database } from '../platform/database/database.ts';
import { newWebhookSecret } from '../platform/outside/webhook-signature.ts';
import { sealedColumn, type SealedStore } from '../platform/secrets/sealed-column.ts';

/** What a webhook keeps secret. An address can contain keys. */
export interface WebhookContent {
  readonly url: string;
  readonly secret: string;
  /** The replaced secret, which signs as well for some time. */
  readonly replaced: { readonly secret: string; readonly until: string } | null;
}

export const newContent = (url: string): WebhookContent => ({
  ...{ url, secret: newWebhookSecret(), replaced: null },
});

export const sealWebhook = (vault: TextVault, id: string, content: WebhookContent): string =>
  vault.sealText(id, JSON.stringify(content));

/** @throws if it was changed, or belongs to another webhook or key */
export const openWebhook = (
  vault: TextVault,
  { id, sealed }: { readonly id: string; readonly sealed: string },
): WebhookContent => JSON.parse(vault.openText(id, sealed)) as WebhookContent;

/** The secrets that sign at a time, the newest first. */
export const signingSecrets = ({ secret, replaced }: WebhookContent, at: Date): string[] =>
  replaced === null || new Date(replaced.until) <= at ? [secret] : [secret, replaced.secret];

export const sealedWebhooks = (
  database: Pick<Database, 'orm'>,
  vault: TextVault,
): readonly SealedStore[] => [
  sealedColumn<string>(database, {
    ...{ table: 'webhook', key: 'id', column: 'sealed', type: 'text' },
    reseal: ({ id, value }) => vault.resealText(id, value),
  }),
];
