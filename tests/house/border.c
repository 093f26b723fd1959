/* SPDX-License-Identifier: MIT */
/* A program that calls nothing: see "the borders of the rooms" in tests/CMakeLists.txt. */
int main(void)
{
    return 0;
}
