// How long the other end of a connection may take for its part, in ms.

export interface WireLimits {
  /** For the headers of a request, from its first byte or from the opening of the connection. */
  readonly headersMs: number;
  /** How often Node checks for overdue headers: a connection lasts at most this much longer. */
  readonly headersLookMs: number;
  /** For a body other than an upload, from its headers to its last byte, whatever its pace. */
  readonly bodyMs: number;
  /** How often it is checked whether a reader reads; several failed checks in a row end it. */
  readonly quietLookMs: number;
  /** How often a stream of changes says that it lives, and its session is looked at. */
  readonly beatEveryMs: number;
  /** Changes that come together within as long are told together. */
  readonly tellEveryMs: number;
}

export const WIRE_LIMITS: WireLimits = {
  headersMs: 15_000,
  headersLookMs: 4_000,
  bodyMs: 20_000,
  quietLookMs: 30_000,
  beatEveryMs: 20_000,
  tellEveryMs: 1_000,
};
