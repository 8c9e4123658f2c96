// By what the comments and issues of a project are found: its name, and its folder where another project of the repository may be called alike.
import { basename, dirname } from 'node:path'
import { placeInRepository, projectFilesAround } from '../surroundings/repository.ts'
import type { CommentKey } from './comment-mark.ts'
import { keyDigits } from './comment-mark.ts'

/** `folder` is the project's, as an absolute path. A project that moves within its repository keeps the key. */
export function keyOf(folder: string, about: Omit<CommentKey, 'folder'>): string {
  const isSure = about.project !== null && isOnlyOne(folder, about.project)
  return keyDigits({ ...about, folder: isSure ? '' : placeInRepository(folder) })
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
