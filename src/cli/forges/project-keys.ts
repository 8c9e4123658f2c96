// By what the comments and issues of a project are found: its own key, and the one that it had when projects of one name shared it.
import { basename, dirname } from 'node:path'
import { placeInRepository, projectFilesAround } from '../surroundings/repository.ts'
import type { CommentKey } from './comment-mark.ts'
import { keyDigits } from './comment-mark.ts'

export interface Keys {
  readonly key: string
  /** What bears it is taken over; undefined where it may be another project's. */
  readonly former: string | undefined
}

/** `folder` is the project's, as an absolute path. */
export function keysOf(folder: string, about: Omit<CommentKey, 'folder'>): Keys {
  const place = placeInRepository(folder)
  const key = keyDigits({ ...about, folder: place })
  const isSure = place !== '' && about.project !== null && isOnlyOne(folder, about.project)
  return { key, former: isSure ? keyDigits({ ...about, folder: '' }) : undefined }
}

/** Whether no other project of the repository is called so. */
function isOnlyOne(folder: string, name: string): boolean {
  const others = projectFilesAround(folder)
  return others !== undefined && others.every(({ path, text }) => dirname(path) === folder || !mayBeCalled(name, path, text))
}

/** One whose name is written in another way than on a line of its own may be called anything. */
function mayBeCalled(name: string, path: string, text: string): boolean {
  if (!text.includes('name')) return basename(dirname(path)) === name
  const [, quoted, plain] = /^name: *(?:(["'][\w.-]+["'])|([\w.-]+)) *(?:#.*)?\r?$/m.exec(text) ?? []
  const own = quoted?.slice(1, -1) ?? plain
  return own === undefined || own === name
}
