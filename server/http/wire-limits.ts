// How long the other end of a connection may take for its part, in ms.

export interface WireLimits {
  /** For the headers of a request, from its first byte or from the opening of the connection. */
  readonly headersMs: number;
  /** How often Node looks whose headers are overdue: a connection lasts this much longer at most. */
  readonly headersLookMs: number;
  /** For a body other than an upload, from its headers to its last byte, whatever its pace. */
  readonly bodyMs: number;
  /** How often it is looked whether a reader takes what it asked for; some in a row without any end it. */
  readonly quietLookMs: number;
}

export const WIRE_LIMITS: WireLimits = {
  headersMs: 15_000,
  headersLookMs: 4_000,
  bodyMs: 20_000,
  quietLookMs: 30_000,
};
