import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/use-api.ts';
import { useFlash } from '../ui/flash-store.ts';
import type { OpenWebhookDialog } from './webhook-dialogs.tsx';

/** The open dialog, and what follows a change of webhooks. */
export function useWebhookDialogs() {
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const [open, onOpen] = useState<OpenWebhookDialog>();
  const onDone = (words?: string): void => {
    onOpen(undefined);
    void queryClient.invalidateQueries(api.webhooks.pathFilter());
    if (words !== undefined) flash.add({ type: 'success', content: words });
  };
  return { open, onOpen, onDone };
}
