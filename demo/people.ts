// Names of fictional people.
import type { Random } from './random.ts';

const namesIn = (text: string): readonly string[] => text.trim().split(/\s+/);

const FIRST_NAMES = namesIn(`
  Aaliyah Abel Adele Amara Anders Anika Arturo Beatrix Bennett Bianca Callum Camila Cedric Clara Dalia Damon
  Desmond Dorothea Edwin Elena Elias Esme Ezra Fatima Felix Fiona Gareth Gemma Gideon Greta Hamza Harriet Hugo
  Ida Imani Ingrid Isaac Ivy Jamal Jasper Joaquín Josefina Kalani Keiko Kieran Lamar Leona Linus Lorena Luca
  Mabel Magnus Marisol Mateo Maude Mei Milo Nadia Naomi Nico Noor Odessa Olga Orson Paloma Pascal Phoebe
  Quentin Rafael Ramona Reza Rosalind Rufus Sabine Samir Selma Silas Simone Soren Tamsin Theo Tiago Uma Ursula
  Valentin Vera Vikram Wanda Wesley Willa Xavier Yara Yusuf Zelda Zoë
`);

const LAST_NAMES = namesIn(`
  Abara Acheson Albright Amsel Arroyo Ashdown Babineaux Balogun Barlow Bellweather Bianchi Blackwood Boateng
  Brannigan Calloway Cardoso Castellan Chaudhry Coldwell Corrigan Crabtree Dahlgren Danforth Delgado Devereux
  Drummond Eastman Ekström Elmore Escobar Fairbanks Farouk Finch Fontaine Fujimoto Galloway Garrity Goldberg
  Greaves Gutierrez Halloran Hathaway Hendricks Holloway Ibarra Iverson Jankowski Jefferies Kaplan Kasprzak
  Keller Kilbride Koroma Lachance Langley Leclerc Lockhart Lundgren Macready Maldonado Marchetti McAllister
  Mbeki Merriweather Montoya Nakata Novak O’Rourke Oduya Okonkwo Ortega Palmgren Pemberton Petrov Quimby
  Radcliffe Rahman Redmond Rinaldi Rosales Rutherford Sandoval Schroeder Sepulveda Shaughnessy Silvestri
  Stavros Sterling Sutherland Tanaka Thackeray Toussaint Trujillo Underhill Valdez Vandermeer Vasquez
  Wainwright Whitcomb Winslow Yamada Yates Zamora Zielinski
`);

export function personName(random: Random): string {
  return `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
}

/** `count` different names. */
export function personNames(random: Random, count: number): string[] {
  const names = new Set<string>();
  while (names.size < count) names.add(personName(random));
  return [...names];
}

/** A user name that is not among `taken`, and now is: `zoe.orourke` for Zoë O’Rourke. */
export function usernameFor(fullName: string, taken: Set<string>): string {
  const plain = fullName
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .trim()
    .split(/ +/)
    .join('.');
  let username = plain;
  for (let number = 2; taken.has(username); number += 1) username = `${plain}${number}`;
  taken.add(username);
  return username;
}
