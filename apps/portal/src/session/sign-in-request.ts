import { create } from 'zustand';

const useRequest = create<{ readonly asked: boolean }>(() => ({ asked: false }));

/** The session ended (2001): a dialog over the page asks to sign in again, the page stays as it is. */
export function askForSignIn(): void {
  useRequest.setState({ asked: true });
}

export function signInDone(): void {
  useRequest.setState({ asked: false });
}

export function useSignInAsked(): boolean {
  return useRequest(({ asked }) => asked);
}
