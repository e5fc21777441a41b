import { create } from 'zustand';

/** The terminal that this tab has open on each device. It survives a change of the view. */
const useSessions = create<{ readonly byDevice: Readonly<Record<string, string>> }>(() => ({
  byDevice: {},
}));

export function rememberSession(deviceId: string, sessionId: string): void {
  useSessions.setState(({ byDevice }) => ({ byDevice: { ...byDevice, [deviceId]: sessionId } }));
}

export function forgetSession(deviceId: string): void {
  useSessions.setState(({ byDevice }) => {
    const { [deviceId]: _ended, ...others } = byDevice;
    return { byDevice: others };
  });
}

export function useOpenSession(deviceId: string): string | undefined {
  return useSessions(({ byDevice }) => byDevice[deviceId]);
}
