import { create } from 'zustand';

const useList = create<{ readonly open: boolean }>(() => ({ open: false }));

export const openShortcutList = (): void => useList.setState({ open: true });
export const closeShortcutList = (): void => useList.setState({ open: false });

export function useShortcutListOpen(): boolean {
  return useList().open;
}
