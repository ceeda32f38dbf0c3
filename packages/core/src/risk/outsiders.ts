/** Why a comparison with people outside the release cannot be made, in the words of every measure that makes one. */
export const NO_OUTSIDERS = 'there is nobody outside the release to compare with'
