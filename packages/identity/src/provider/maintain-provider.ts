import type { FastifyInstance } from 'fastify';
import { deleteEnded } from './delete-ended.ts';
import { deleteOldEvents } from '../events/event-store.ts';
import type { ProviderContext } from './provider-context.ts';
import { createQrCodes } from '../qr-login/qr-codes.ts';
import { createUploads } from '../uploads/uploads.ts';

const EVERY_MS = 10 * 60_000;
/** Servers that were away for longer have no subscribers left. */
const KEEP_EVENTS_MS = 10 * 60_000;
/**
 * Ended entries are kept for this time, so that late requests get "expired" instead of "not found".
 */
const KEEP_ENDED_MS = 24 * 3_600_000;

/** Deletes sign-ins, codes, tickets, QR codes, events and pictures that have ended, now and then, as long as the server runs. */
export function maintainProvider(app: FastifyInstance, context: ProviderContext): void {
  const { db, clock, onInternalError } = context;
  const codes = createQrCodes(context);
  const uploads = createUploads(context);
  const timer = setInterval(() => {
    Promise.all([
      codes.deleteExpired(),
      uploads.deleteExpired(),
      deleteEnded(db, new Date(clock.now() - KEEP_ENDED_MS)),
      deleteOldEvents(db, new Date(clock.now() - KEEP_EVENTS_MS)),
    ]).catch((error: unknown) => onInternalError(error, 'deletion of expired provider data'));
  }, EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
