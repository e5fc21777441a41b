import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/use-api.ts';
import { useFlash } from '../ui/flash-store.ts';
import type { OpenTokenDialog } from './token-dialogs.tsx';

/** The open dialog, and what follows a change of tokens. */
export function useTokenDialogs() {
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const [open, onOpen] = useState<OpenTokenDialog>();
  const onDone = (words?: string): void => {
    onOpen(undefined);
    void queryClient.invalidateQueries(api.apiTokens.pathFilter());
    if (words !== undefined) flash.add({ type: 'success', content: words });
  };
  return { open, onOpen, onDone };
}
