import { useChunkState } from '../chunks/chunk-state.ts';
import { loadNewRelease } from '../chunks/is-release-replaced.ts';
import { router } from './router.ts';

/**
 * After a new release has replaced the files of this document, the next page is loaded as a new
 * document. The address is already that of the next page.
 */
export function followNewRelease(): void {
  const load = (): void => {
    if (useChunkState.getState().isReplaced) void loadNewRelease();
  };
  useChunkState.subscribe(() => {
    if (router.state.status === 'pending') load();
  });
  router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
    if (pathChanged) load();
  });
}
