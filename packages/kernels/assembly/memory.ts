/** Arrays of a host, by their addresses, and arrays that a kernel reserves behind them. */
export function int(array: usize, at: i32): i32 {
  return load<i32>(array + ((at as usize) << 2))
}

export function setInt(array: usize, at: i32, value: i32): void {
  store<i32>(array + ((at as usize) << 2), value)
}

export function double(array: usize, at: i32): f64 {
  return load<f64>(array + ((at as usize) << 3))
}

export function setDouble(array: usize, at: i32, value: f64): void {
  store<f64>(array + ((at as usize) << 3), value)
}

export function byte(array: usize, at: i32): i32 {
  return load<u8>(array + (at as usize)) as i32
}

export function setByte(array: usize, at: i32, value: i32): void {
  store<u8>(array + (at as usize), value)
}

const PAGE_BITS = 16
let free: usize = 0

/** What is reserved from now on lies behind this address. */
export function reserveFrom(address: usize): void {
  free = (address + 7) & ~7
}

/** Room for so many bytes, which may hold anything; each begins at a multiple of 8. Traps where there is no more memory. */
export function reserve(bytes: usize): usize {
  const at = free
  free = (at + bytes + 7) & ~7
  const missing = (((free + 0xffff) >>> PAGE_BITS) as i32) - memory.size()
  if (missing > 0 && memory.grow(missing) < 0) unreachable()
  return at
}

export function ints(length: i32): usize {
  return reserve((length as usize) << 2)
}

export function doubles(length: i32): usize {
  return reserve((length as usize) << 3)
}

export function bytes(length: i32): usize {
  return reserve(length as usize)
}
