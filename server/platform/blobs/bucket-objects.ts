// Small files with names in an S3-compatible bucket.

import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { NamedObjects } from './named-objects.ts';
import { isMissing, newClient, type S3StoreOptions, storeFault } from './s3-store.ts';

/** What S3 answers to a write that is to make something new: it is there, or somebody writes it at this moment. */
const THERE_ALREADY = [412, 409];
/** What servers answer that know no such writes, OpenStack Swift among them. */
const KNOWS_NO_CONDITION = 501;

export class BucketObjects implements NamedObjects {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor(options: S3StoreOptions) {
    this.#client = newClient(options);
    this.#bucket = options.bucket;
    this.#prefix = options.prefix === '' ? '' : `${options.prefix}/`;
  }

  #object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + name };
  }

  async read(name: string): Promise<Buffer | null> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#object(name)));
      return await buffer(Body as Readable);
    } catch (error) {
      if (isMissing(error)) return null;
      throw storeFault(error);
    }
  }

  async write(name: string, content: Uint8Array | string): Promise<void> {
    await this.#put(name, content, {});
  }

  async writeNew(name: string, content: Uint8Array | string): Promise<void> {
    // Some servers ignore the condition, and of two at the very same moment the later one stays there.
    if ((await this.read(name)) !== null) return;
    await this.#put(name, content, { IfNoneMatch: '*' });
  }

  async #put(name: string, Body: Uint8Array | string, condition: { IfNoneMatch?: string }): Promise<void> {
    try {
      await this.#client.send(new PutObjectCommand({ ...this.#object(name), Body, ...condition }));
    } catch (error) {
      const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
      if (condition.IfNoneMatch !== undefined && THERE_ALREADY.includes(status ?? 0)) return;
      if (condition.IfNoneMatch !== undefined && status === KNOWS_NO_CONDITION) return this.#put(name, Body, {});
      throw storeFault(error);
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand(this.#object(name)));
    } catch (error) {
      if (!isMissing(error)) throw storeFault(error);
    }
  }

  async list(folder: string): Promise<string[]> {
    const Prefix = this.#prefix + (folder === '' ? '' : `${folder}/`);
    const names: string[] = [];
    try {
      for await (const page of paginateListObjectsV2(
        { client: this.#client },
        { Bucket: this.#bucket, Prefix, Delimiter: '/' },
      )) {
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) names.push(Key.slice(Prefix.length));
        for (const inner of page.CommonPrefixes ?? []) names.push((inner.Prefix ?? '').slice(Prefix.length, -1));
      }
    } catch (error) {
      throw storeFault(error);
    }
    return names.sort();
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }
}
