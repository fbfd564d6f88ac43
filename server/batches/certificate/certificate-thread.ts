// The thread that draws one certificate.
import type { BatchCertificate } from '#contract/batch-certificate.ts';
import { certificatePdf } from './certificate-pdf.ts';

export const work = (certificate: BatchCertificate): Promise<Uint8Array> => certificatePdf(certificate);

/** It keeps nothing. */
export const forget = () => true;
