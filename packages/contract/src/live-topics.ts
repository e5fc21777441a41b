/**
 * MQTT topics of the live channel: a viewer may publish only its own `watch` and subscribe only to its own `live`.
 */

const VIEWERS = 'deviceportal/viewers';

/**
 * The viewer id of topics: the identity pool's identity id with `_` for `:`. The MQTT client id is the viewer id,
 * a dot, and whatever tells a browser's tabs apart.
 */
export const viewerIdOf = (identityId: string): string => identityId.replaceAll(':', '_');

export const liveTopic = (viewerId: string): string => `${VIEWERS}/${viewerId}/live`;
export const watchTopic = (viewerId: string): string => `${VIEWERS}/${viewerId}/watch`;
