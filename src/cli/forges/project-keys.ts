// By what the comments and issues of a project are found: its name and its folder, or its name alone where no other project of the repository may be called so.
import { basename, dirname, join } from 'node:path'
import { folderInRepository, projectFilesIn, repositoryOf } from '../surroundings/repository.ts'
import type { CommentKey, CommentKeys } from './comment-mark.ts'
import { keyDigits } from './comment-mark.ts'

/** `at` is an absolute path in the repository; `folder` the project's there as `folderInRepository` tells it, where that is not `at`. */
export function keysOf(about: Omit<CommentKey, 'folder'>, at: string, folder: string | undefined = folderInRepository(at)): CommentKeys {
  const name = keyDigits({ ...about, folder: '' })
  // In no repository there is nothing to be told apart from.
  if (folder === undefined) return { key: name, name, isOnly: true }
  const root = repositoryOf(at)
  const isOnly = root !== undefined && about.project !== null && isOnlyOne(root, join(root, folder), about.project)
  return { key: folder === '.' ? name : keyDigits({ ...about, folder }), name, isOnly }
}

/** Whether no other project of the repository is called so. A folder without a project file is only called like others of its name. */
function isOnlyOne(root: string, folder: string, name: string): boolean {
  const files = projectFilesIn(root)
  const isOwn = (path: string): boolean => dirname(path) === folder
  return files !== undefined && files.some(({ path }) => isOwn(path)) && files.every(({ path, text }) => isOwn(path) || !mayBeCalled(name, path, text))
}

/** One whose name is written in another way than on a line of its own may be called anything. */
function mayBeCalled(name: string, path: string, text: string): boolean {
  if (!text.includes('name')) return basename(dirname(path)) === name
  const [, quoted, plain] = /^name: *(?:(["'][\w.-]+["'])|([\w.-]+)) *(?:#.*)?\r?$/m.exec(text) ?? []
  const own = quoted?.slice(1, -1) ?? plain
  return own === undefined || own === name
}
