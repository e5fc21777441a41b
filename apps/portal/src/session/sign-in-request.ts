import { create } from 'zustand';

const useRequest = create<{ readonly asked: boolean }>(() => ({ asked: false }));

/**
 * Opens the dialog for signing in again after the session has ended (2001). The page stays as it
 * is.
 */
export function askForSignIn(): void {
  useRequest.setState({ asked: true });
}

export function signInDone(): void {
  useRequest.setState({ asked: false });
}

export function useSignInAsked(): boolean {
  return useRequest(({ asked }) => asked);
}
