interface GuardedPacket {
  readonly cmd: string;
  readonly qos?: number;
  readonly topic?: string;
  readonly subscriptions?: readonly { readonly topic: string }[];
  readonly unsubscriptions?: readonly string[];
  readonly length?: number;
}

interface Parser {
  parse: (bytes: Buffer) => number;
  readonly packet: { readonly length?: number } | undefined;
  readonly listeners: (event: 'packet') => ((packet: GuardedPacket) => void)[];
  readonly removeAllListeners: (event: 'packet') => void;
  readonly on: (event: 'packet', listener: (packet: GuardedPacket) => void) => void;
}

export interface PacketRules {
  readonly maxBytes: number;
  /** Whether the connection may continue after this packet. */
  readonly allows: (packet: GuardedPacket) => boolean;
  readonly onTooLarge: () => void;
}

/**
 * Checks every packet before the broker handles it, and ends a connection that breaks a rule. The parser collects a
 * whole packet before it emits it, so the size is checked as soon as the announced length is known (MQTT 3.1.1,
 * section 2.2.3).
 */
export function guardPackets(client: object, rules: PacketRules): void {
  const { _parser: parser, conn } = client as {
    readonly _parser: Parser;
    readonly conn: { destroy: () => void };
  };
  let isEnded = false;
  const end = (): void => {
    isEnded = true;
    conn.destroy();
  };
  const parse = parser.parse.bind(parser);
  parser.parse = (bytes) => {
    if (isEnded) return 0;
    const left = parse(bytes);
    if (isEnded || (parser.packet?.length ?? 0) <= rules.maxBytes) return left;
    rules.onTooLarge();
    end();
    return 0;
  };
  const listeners = parser.listeners('packet');
  parser.removeAllListeners('packet');
  parser.on('packet', (packet) => {
    // Packets that were received in the same chunk as the offending one are ignored.
    if (isEnded) return;
    if (!rules.allows(packet)) return end();
    for (const listener of listeners) listener.call(parser, packet);
  });
}
