import {
  deviceTerminalsInput,
  openTerminalInput,
  searchRecordingsInput,
  setTerminalConsentInput,
  terminalPermissions,
  terminalSessionInput,
} from '@deviceportal/contract/terminals';
import { permitted, router } from '../platform/api.ts';
import { endTerminal } from './end-terminal.ts';
import { listDeviceTerminals } from './list-terminals.ts';
import { listModelConsents, setModelConsent } from './model-consents.ts';
import { openTerminal } from './open-terminal.ts';
import { RecordingSearches } from './search-recordings.ts';
import type { TerminalDeps } from './terminal-deps.ts';
import { viewRecording } from './view-recording.ts';

/** Terminals on devices. The bytes of a session are not here, but on its WebSocket. */
export function createTerminalsRouter(deps: TerminalDeps) {
  const searches = new RecordingSearches(deps);
  return router({
    list: permitted(terminalPermissions)
      .input(deviceTerminalsInput)
      .query(({ ctx, input }) => listDeviceTerminals(deps, ctx.viewer, input)),
    open: permitted('terminal:open', 'opens-terminal')
      .input(openTerminalInput)
      .mutation(({ ctx, input }) => openTerminal(deps, ctx, input)),
    end: permitted(['terminal:open', 'terminal:end'])
      .input(terminalSessionInput)
      .mutation(({ ctx, input }) => endTerminal(deps, ctx, input)),
    recording: permitted('terminal:replay')
      .input(terminalSessionInput)
      .mutation(({ ctx, input }) => viewRecording(deps, ctx, input)),
    listModels: permitted('terminal:consent').query(({ ctx }) =>
      listModelConsents(deps, ctx.viewer),
    ),
    setConsent: permitted('terminal:consent', 'grants-rights')
      .input(setTerminalConsentInput)
      .mutation(({ ctx, input }) => setModelConsent(deps, ctx, input)),
    search: permitted('terminal:replay')
      .input(searchRecordingsInput)
      .mutation(({ ctx, input }) => searches.search(ctx, input)),
  });
}
