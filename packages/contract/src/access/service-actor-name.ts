const PREFIX = 'service-token:';

/**
 * The name by which an application with a service token is shown as an actor. The name of a token can be chosen, so the
 * prefix distinguishes it from users and from the server.
 */
export const serviceActorName = (name: string): string => `${PREFIX}${name}`;

/** Whether a name is reserved for service tokens, in any case. */
export const isServiceActorName = (name: string): boolean =>
  name.normalize('NFKC').trim().toLowerCase().startsWith(PREFIX);

/**
 * The facts of a user without reserved names: the subject replaces a username, and the username a display name. Whatever
 * another system states, no user is shown as an application.
 */
export function withoutServiceNames<
  Facts extends { readonly subject: string; readonly username: string; readonly name: string },
>(facts: Facts): Facts {
  const username = isServiceActorName(facts.username) ? facts.subject : facts.username;
  return { ...facts, username, name: isServiceActorName(facts.name) ? username : facts.name };
}
